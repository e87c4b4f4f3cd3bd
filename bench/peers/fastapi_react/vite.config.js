import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

export default defineConfig({
  plugins: [react(), compression({ algorithms: ["brotliCompress"], threshold: 500 })],
  server: { proxy: { "/api": "http://localhost:8000" } },
});
