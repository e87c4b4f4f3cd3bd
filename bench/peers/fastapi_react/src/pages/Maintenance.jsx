import { Step } from "../Step.jsx";

const Way = ({ value, children }) => (
  <label className="choice">
    <input className="size-6 shrink-0 accent-ink" type="radio" name="maintenance" value={value} />
    <span>
      <span className="block font-semibold">{children}</span>
    </span>
  </label>
);

const Short = ({ id, label, className, inner = "field", ...props }) => (
  <div className={className}>
    <label className="font-semibold block" htmlFor={id}>
      {label}
    </label>
    <div className="mt-2">
      <input autoComplete="off" className={inner} id={id} name={id} {...props} />
    </div>
  </div>
);

export default function Maintenance() {
  return (
    <Step number={3} question="Wanneer had je fiets de laatste servicebeurt?" onSubmit={(event) => event.preventDefault()}>
      <fieldset aria-labelledby="question">
        <div className="mt-3 grid gap-3">
          <div className="reveals">
            <Way value="known">In een maand die ik weet</Way>
            <fieldset className="reveal">
              <legend className="font-semibold">Maand en jaar</legend>
              <p className="text-ink-500">Bijvoorbeeld 3 2026 of maart 2026</p>
              <div className="mt-3 flex flex-wrap items-end gap-4">
                <Short id="maintenance_month" label="Maand" className="max-w-40" />
                <Short id="maintenance_year" label="Jaar" className="max-w-32" inner="field max-w-48" inputMode="numeric" />
              </div>
            </fieldset>
          </div>
          <Way value="never">Nog geen onderhoud gehad</Way>
          <Way value="unsure">Weet ik niet meer</Way>
        </div>
      </fieldset>
    </Step>
  );
}
