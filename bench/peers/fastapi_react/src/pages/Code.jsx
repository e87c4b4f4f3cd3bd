import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { ask } from "../api.js";
import { useTitle } from "../shared.jsx";

export default function Code() {
  useTitle("Inlogcode");
  const navigate = useNavigate();
  const send = useMutation({ mutationFn: (body) => ask("POST", "session", body), onSuccess: () => navigate("/dashboard") });
  const submit = (event) => {
    event.preventDefault();
    send.mutate(Object.fromEntries(new FormData(event.target)));
  };
  return (
    <div className="max-w-form">
      <h1 tabIndex="-1">Vul je inlogcode in</h1>
      <p className="mt-3 text-lg text-ink-600">Als je gegevens kloppen, staat de code nu in je mail.</p>
      <form className="mt-8 space-y-6" onSubmit={submit}>
        <div>
          <label className="font-semibold block" htmlFor="code">
            Inlogcode
          </label>
          <div className="mt-2">
            <input autoComplete="one-time-code" className="field max-w-60" id="code" inputMode="numeric" name="code" required />
          </div>
          {send.isError && <p className="mt-1 text-err">Deze code klopt niet.</p>}
        </div>
        <button className="btn btn-primary w-full md:w-auto">Log in</button>
      </form>
    </div>
  );
}
