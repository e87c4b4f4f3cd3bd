import { Link } from "react-router";
import texts from "../../../texts.json";
import { useMine } from "../api.js";
import { Arrow, Drawing, day, euro, paymentOf, statusOf, useTitle } from "../shared.jsx";

function Order({ order }) {
  const badges = (
    <>
      {statusOf(order.status)}
      {paymentOf(order.payment)}
    </>
  );
  return (
    <li className="group relative flex items-center gap-4 px-4 py-5 hover:bg-paper md:gap-6 md:px-6">
      <div className="w-16 shrink-0 self-start text-ink md:w-24 md:self-center">
        <Drawing lines={texts.drawings[order.kind]} className="w-full h-auto" />
      </div>
      <div className="min-w-0 grow">
        <h2 className="text-base font-semibold tracking-normal md:text-lg">
          <Link className="text-ink no-underline after:absolute after:inset-0 tabular-nums" to={`/orders/${order.number}`}>
            Bestelling {order.number}
          </Link>
        </h2>
        <p>
          {order.name}
          {order.more > 0 && <span className="text-ink-600"> en nog {order.more === 1 ? "1 artikel" : `${order.more} artikelen`}</span>}
        </p>
        <p className="text-ink-600">{day(order.day)}</p>
        <p className="mt-2 font-semibold tabular-nums md:hidden">{euro(order.total)}</p>
        <p className="flex flex-wrap gap-2 mt-3 md:hidden">{badges}</p>
      </div>
      <p className="flex flex-wrap gap-2 max-md:hidden justify-end">{badges}</p>
      <p className="w-28 shrink-0 text-right font-semibold tabular-nums max-md:hidden">{euro(order.total)}</p>
      <Arrow />
    </li>
  );
}

export default function Orders() {
  useTitle("Bestellingen");
  const { data } = useMine("orders");
  return (
    <>
      <h1 tabIndex="-1">Bestellingen</h1>
      {data && (
        <>
          <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <p className="text-ink-600">{data.length} bestellingen, nieuwste eerst</p>
            <Link className="text-link underline" to="/invoices">
              Alle facturen
            </Link>
          </div>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-white mt-6">
            {data.map((order) => (
              <Order key={order.number} order={order} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}
