import { Link } from "react-router";
import texts from "../../../texts.json";
import { useMine } from "../api.js";
import { Arrow, Badge, Drawing, day, statusOf, useTitle } from "../shared.jsx";

const SHOWN = 4;

const badgeOf = (entry) => (entry.label ? <Badge text={entry.label} tone="info" /> : statusOf(entry.status));

const lineOf = (entry) =>
  entry.kind === "delivery"
    ? `Bestelling ${entry.reference} van ${day(entry.since)}`
    : `${texts.kinds[entry.kind]}, aangemeld op ${day(entry.since)}${entry.partner && ` bij ${entry.partner}`}`;

function Cases({ cases: [first, ...others] }) {
  const further = others.length + 1 - SHOWN;
  return (
    <section className="mt-8">
      <h2 className="sr-only">Wat er nu loopt</h2>
      <div className="flex items-center justify-between gap-8 rounded-panel bg-panel p-6 text-on-panel md:p-10">
        <div className="min-w-0">
          <p>{badgeOf(first)}</p>
          <h3 className="mt-4 text-h2">{first.name}</h3>
          <p className="mt-2 text-lg">{first.meaning}</p>
          <p className="mt-2">{lineOf(first)}</p>
          <div className="mt-6">
            <Link className="btn btn-light" to={`/maintenance/${first.reference}`}>
              Bekijk de status
            </Link>
          </div>
        </div>
        <div className="hidden w-64 shrink-0 md:block lg:w-80">
          <Drawing lines={texts.drawings.city_bike} className="w-full h-auto" />
        </div>
      </div>
      <ul className="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-white">
        {others.slice(0, SHOWN - 1).map((entry) => (
          <li key={entry.reference} className="relative flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-4 hover:bg-paper md:px-6">
            <div className="min-w-0 grow">
              <h3 className="text-base font-semibold">
                <Link className="text-ink no-underline after:absolute after:inset-0" to={`/order-status/${entry.reference}`}>
                  {entry.name}
                </Link>
              </h3>
              <p className="text-ink-600">{lineOf(entry)}</p>
            </div>
            {badgeOf(entry)}
          </li>
        ))}
        {further > 0 && (
          <li className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-4 md:px-6">
            <span>Er lopen nog {further} zaken:</span>
            <Link className="text-link underline" to="/orders">
              Bestellingen
            </Link>
            <Link className="text-link underline" to="/maintenance">
              Serviceaanvragen
            </Link>
            <Link className="text-link underline" to="/returns">
              Retouren
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

function Closed({ tile }) {
  return (
    <li className="flex gap-4 bg-paper-2 px-4 py-4 md:rounded-card md:border md:border-line md:p-6">
      <div className="w-14 shrink-0 md:order-last md:-mr-2 md:w-24 text-ink-500 grayscale">
        <Drawing lines={tile.drawing} className="h-auto w-full" />
      </div>
      <div className="grow min-w-0">
        <h3 className="text-base font-semibold md:text-lg text-ink-600">{tile.title}</h3>
        <p className="mt-2">
          <span className="badge bg-white text-ink-700">Niet beschikbaar</span>
        </p>
        <p className="mt-2 text-sm text-ink-600">{texts.reasons[tile.reason]}</p>
        {tile.until && <p className="text-sm text-ink-600">Dit kon tot en met {day(tile.until)}.</p>}
        <Link className="text-link underline inline-flex min-h-11 items-center text-sm md:min-h-8" to={`/contact?topic=${tile.feature}`}>
          Neem contact op<span className="sr-only"> – {tile.title}</span>
        </Link>
      </div>
    </li>
  );
}

function Open({ tile }) {
  return (
    <li className="group relative flex min-h-16 items-center gap-4 px-4 py-3 hover:bg-paper md:items-start md:rounded-card md:border md:border-line md:bg-white md:hover:bg-white md:hover:shadow-card md:min-h-44 md:p-6 md:pb-16">
      <div className="w-14 shrink-0 md:order-last md:-mr-2 md:w-24 text-ink">
        <Drawing lines={tile.drawing} className="h-auto w-full" />
      </div>
      <div className="grow min-w-0">
        <h3 className="text-base font-semibold md:text-lg">
          <Link className="text-ink no-underline after:absolute after:inset-0 md:after:rounded-card" to={tile.href}>
            {tile.title}
          </Link>
        </h3>
        <p className="mt-1 text-ink-600 max-md:hidden">{tile.text}</p>
      </div>
      <Arrow className="md:absolute md:bottom-6 md:left-6" />
    </li>
  );
}

function Short({ tile }) {
  return (
    <li className="group relative flex min-h-16 items-center gap-4 px-4 py-3 hover:bg-paper md:items-start md:rounded-card md:border md:border-line md:bg-white md:hover:bg-white md:hover:shadow-card md:gap-2 md:p-5">
      <div className="grow min-w-0">
        <h3 className="text-base font-semibold">
          <Link className="text-ink no-underline after:absolute after:inset-0 md:after:rounded-card" to={tile.href}>
            {tile.title}
          </Link>
        </h3>
        <p className="mt-1 text-ink-600 max-md:hidden md:text-sm">{tile.text}</p>
        {tile.until && <p className="mt-1 text-sm text-ink-500">Tot en met {day(tile.until)}</p>}
      </div>
      <Arrow className="md:mt-0.5 md:self-start" />
    </li>
  );
}

export default function Dashboard() {
  useTitle("Overzicht");
  const { data } = useMine("dashboard");
  if (!data) return null;
  const actions = new Map(data.actions.map((action) => [action.feature, action]));
  const tiles = texts.tiles.filter(({ feature }) => actions.has(feature)).map((tile) => ({ ...tile, ...actions.get(tile.feature) }));
  const of = (group) => tiles.filter((tile) => tile.group === group);
  return (
    <>
      <h1 tabIndex="-1">Hoi {data.first_name}, waarmee kunnen we je helpen?</h1>
      {data.cases.length > 0 && <Cases cases={data.cases} />}
      <section className="mt-12">
        <h2>Direct regelen</h2>
        <ul className="mt-4 overflow-hidden divide-y divide-line rounded-card border border-line bg-white md:grid md:overflow-visible md:divide-y-0 md:rounded-none md:border-0 md:bg-transparent md:grid-cols-2 lg:grid-cols-3 md:gap-5">
          {of("now").map((tile) => (tile.reason ? <Closed key={tile.feature} tile={tile} /> : <Open key={tile.feature} tile={tile} />))}
        </ul>
      </section>
      <section className="mt-12">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2>Bestelling en bezorging</h2>
          <div className="flex flex-wrap gap-x-6">
            <Link className="text-link underline inline-flex min-h-11 items-center" to="/returns">
              Je retouren
            </Link>
            <Link className="text-link underline inline-flex min-h-11 items-center" to="/invoices">
              Je facturen
            </Link>
          </div>
        </div>
        <ul className="mt-4 overflow-hidden divide-y divide-line rounded-card border border-line bg-white md:grid md:overflow-visible md:divide-y-0 md:rounded-none md:border-0 md:bg-transparent md:grid-cols-3 lg:grid-cols-5 md:gap-4">
          {of("delivery").map((tile) => (
            <Short key={tile.feature} tile={tile} />
          ))}
        </ul>
      </section>
    </>
  );
}
