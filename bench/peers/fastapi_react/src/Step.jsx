import { Link } from "react-router";
import texts from "../../texts.json";
import { Drawing, useTitle } from "./shared.jsx";

export function Step({ number, question, onSubmit, pending = false, children }) {
  useTitle(`${question} – Stap ${number} van 8`);
  return (
    <div className="lg:grid lg:grid-cols-[40rem_20rem] lg:items-start lg:gap-12">
      <div className="min-w-0 max-w-form">
        <hgroup>
          <h1 id="question" tabIndex="-1">
            {question}
          </h1>
          <p className="mt-2 text-ink-600 tabular-nums">Stap {number} van 8 · Reparatie aanvragen</p>
        </hgroup>
        <progress aria-hidden="true" className="mt-3 block h-1.5 w-full appearance-none overflow-hidden rounded-pill bg-line [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-signal-600 [&::-moz-progress-bar]:bg-signal-600" max="8" value={number} />
        <form className="mt-8 space-y-8" noValidate onSubmit={onSubmit}>
          {children}
          <div className="contents md:flex md:flex-wrap md:items-center md:gap-6 md:pt-2">
            <div className="max-md:sticky max-md:bottom-0 max-md:z-10 max-md:-mx-4 max-md:border-t max-md:border-line max-md:bg-paper max-md:px-4 max-md:py-2.5">
              <button type="submit" className="btn btn-primary w-full md:w-auto" disabled={pending}>
                Volgende
              </button>
            </div>
            <Link className="text-link underline inline-flex min-h-11 items-center" to="/dashboard">
              Naar overzicht
            </Link>
          </div>
        </form>
      </div>
      <aside aria-label="Je keuze" className="max-lg:hidden">
        <div className="card">
          <div className="text-ink">
            <Drawing lines={texts.drawings.e_bike} className="h-auto w-40" />
          </div>
          <p className="mt-4 font-semibold">Noordveld Horizon 5</p>
          <p className="text-ink-600 tabular-nums">Framenummer NVH17208085</p>
        </div>
      </aside>
    </div>
  );
}
