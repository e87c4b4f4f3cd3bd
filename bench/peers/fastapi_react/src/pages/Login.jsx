import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import texts from "../../../texts.json";
import { ask } from "../api.js";
import { Drawing, useTitle } from "../shared.jsx";

export default function Login() {
  useTitle("Inloggen");
  const navigate = useNavigate();
  const send = useMutation({ mutationFn: (body) => ask("POST", "code", body), onSuccess: () => navigate("/login/code") });
  const submit = (event) => {
    event.preventDefault();
    send.mutate(Object.fromEntries(new FormData(event.target)));
  };
  return (
    <div className="grid gap-8 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:gap-16 md:items-start">
      <div className="max-w-form">
        <h1 tabIndex="-1">Log in op je account</h1>
        <p className="mt-3 text-lg text-ink-600">We mailen je een inlogcode. Een wachtwoord heb je niet nodig.</p>
        <form className="mt-8 space-y-6" onSubmit={submit}>
          <div>
            <label className="font-semibold block" htmlFor="order_number">
              Bestelnummer
            </label>
            <p className="text-ink-500" id="order_number-hint">
              Begint met een 8 of een 9
            </p>
            <div className="mt-2">
              <input aria-describedby="order_number-hint" autoComplete="off" className="field max-w-60" id="order_number" inputMode="numeric" name="order_number" required />
            </div>
          </div>
          <div>
            <label className="font-semibold block" htmlFor="email">
              E-mailadres
            </label>
            <p className="text-ink-500" id="email-hint">
              Het adres waarmee je hebt besteld
            </p>
            <div className="mt-2">
              <input aria-describedby="email-hint" autoComplete="email" className="field" id="email" type="email" name="email" required />
            </div>
          </div>
          {send.isError && <p className="mt-1 text-err">Controleer je bestelnummer en je e-mailadres.</p>}
          <button className="btn btn-primary w-full md:w-auto">Verstuur inlogcode</button>
          <p className="text-sm text-ink-600">
            We gebruiken je gegevens alleen voor je aanvraag.{" "}
            <a className="text-link underline" href="/privacy">
              Zo gaan we om met je gegevens
            </a>
          </p>
        </form>
      </div>
      <aside aria-label="Bovenbuis" className="order-first md:order-last flex md:block items-center gap-5 rounded-card md:rounded-panel bg-panel text-on-panel px-5 py-3 md:p-10">
        <div className="w-28 md:w-full">
          <Drawing lines={texts.drawings.city_bike} className="w-full h-auto" />
        </div>
        <p className="text-lg md:mt-8">Alles over je fiets op één plek.</p>
      </aside>
    </div>
  );
}
