import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import texts from "../../../texts.json";
import { Step } from "../Step.jsx";
import { ask, useMine } from "../api.js";

const LEAST = 31;
const ahead = () => import("./Maintenance.jsx");

function Part({ code, label, chosen, story, short }) {
  const [length, setLength] = useState(story.length);
  return (
    <div className="reveals">
      <label className="choice">
        <input className="size-6 shrink-0 accent-ink" type="checkbox" name="parts" value={code} defaultChecked={chosen} />
        <span>
          <span className="block font-semibold">{label}</span>
        </span>
      </label>
      <div className="reveal">
        <div>
          <label className="font-semibold block" htmlFor={`details_${code}`}>
            {label}: wat is er aan de hand?
          </label>
          <textarea className="field mt-2 py-3" id={`details_${code}`} name={`details_${code}`} rows="4" maxLength="1000" aria-invalid={short} defaultValue={story} onChange={(event) => setLength(event.target.value.length)} />
          <p className="mt-1 text-ink-500" aria-hidden="true">
            {length < LEAST && `Nog ${LEAST - length} tekens nodig`}
          </p>
          {short && <p className="mt-1 text-err">Vul minstens {LEAST} tekens in.</p>}
        </div>
      </div>
    </div>
  );
}

export default function Damage() {
  const { data: draft } = useMine("draft");
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => void ahead(), []);
  const save = useMutation({
    mutationFn: (body) => ask("PUT", "draft/damage", body),
    onSuccess: (saved) => {
      queries.setQueryData(["draft"], saved);
      navigate("/repair-request/step-3");
    },
  });
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const parts = form.getAll("parts");
    save.mutate({ parts, details: Object.fromEntries(parts.map((part) => [part, form.get(`details_${part}`)])) });
  };
  if (!draft) return null;
  const short = save.error?.body?.detail?.short ?? [];
  const answers = draft.answers;
  return (
    <Step number={2} question="Wat is er kapot?" onSubmit={submit} pending={save.isPending}>
      <fieldset aria-labelledby="question">
        {save.isError && <p className="mt-1 text-err">Kies wat er kapot is en vertel er iets over.</p>}
        <div className="mt-3 grid gap-3">
          {Object.entries(texts.parts).map(([code, label]) => (
            <Part key={code} code={code} label={label} chosen={answers.parts?.includes(code) ?? false} story={answers[`details_${code}`] ?? ""} short={short.includes(code)} />
          ))}
        </div>
      </fieldset>
    </Step>
  );
}
