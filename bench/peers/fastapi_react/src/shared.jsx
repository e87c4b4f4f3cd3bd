import { useEffect } from "react";
import texts from "../../texts.json";

const days = new Intl.DateTimeFormat("nl", { dateStyle: "long" });
const euros = new Intl.NumberFormat("nl", { style: "currency", currency: "EUR" });

export const day = (iso) => days.format(new Date(iso));
export const euro = (amount) => euros.format(amount);

export function useTitle(title) {
  useEffect(() => {
    document.title = `${title} – Bovenbuis`;
  }, [title]);
}

export function Drawing({ lines: [line, accent], className }) {
  return (
    <svg aria-hidden="true" className={className} fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round" strokeWidth="3.5" viewBox="0 0 200 120">
      <path d={line} />
      <path d={accent} stroke="var(--color-signal)" strokeWidth="7" />
    </svg>
  );
}

export function Arrow({ className = "" }) {
  return (
    <svg aria-hidden="true" className={`size-5 shrink-0 text-ink-500 transition-transform duration-150 ease-ride group-hover:translate-x-1 ${className}`} fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2" viewBox="0 0 24 24">
      <path d="m9 5 7 7-7 7" />
    </svg>
  );
}

export const Badge = ({ text, tone }) => <span className={`badge bg-${tone}-bg text-${tone}`}>{text}</span>;

export const statusOf = (code) => texts.statuses[code] && <Badge text={texts.statuses[code][0]} tone={texts.statuses[code][1]} />;
export const paymentOf = (code) => texts.payments[code] && <Badge text={texts.payments[code][0]} tone={texts.payments[code][1]} />;
