import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import texts from "../../texts.json";
import { ask } from "./api.js";
import { Drawing } from "./shared.jsx";

function Menu({ className }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const logOut = async () => {
    await ask("DELETE", "session");
    queries.clear();
    navigate("/");
  };
  return (
    <>
      {texts.menu.map(([href, text]) => (
        <NavLink key={href} className={className} to={href}>
          {text}
        </NavLink>
      ))}
      <button className={className} onClick={logOut}>
        Uitloggen
      </button>
    </>
  );
}

function Header() {
  const drawer = useRef(null);
  const { pathname } = useLocation();
  const outside = pathname === "/" || pathname.startsWith("/login");
  return (
    <header className="sticky top-0 z-20 bg-panel text-on-panel">
      <div className="mx-auto w-full max-w-page px-4 md:px-6 flex h-16 items-center gap-2 md:gap-4 lg:gap-2 xl:gap-4">
        <Link className="flex min-h-11 items-center gap-2 text-lg font-semibold text-on-panel no-underline" to="/dashboard">
          <Drawing lines={texts.drawings.city_bike} className="h-7 w-11 shrink-0" />
          <span className="max-[399px]:sr-only">Bovenbuis</span>
        </Link>
        {!outside && (
          <>
            <nav aria-label="Hoofdmenu" className="order-2 ml-auto hidden gap-1 lg:flex">
              <Menu className="menu-link" />
            </nav>
            <div className="order-3 lg:hidden">
              <button className="menu-button" aria-haspopup="dialog" onClick={() => drawer.current.showModal()}>
                Menu
              </button>
              <dialog ref={drawer} aria-label="Hoofdmenu" className="drawer">
                <div className="drawer-panel">
                  <button className="icon-button self-end" aria-label="Sluit menu" onClick={() => drawer.current.close()}>
                    <svg viewBox="0 0 24 24" className="size-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" aria-hidden="true">
                      <path d="M6 6 18 18M18 6 6 18" />
                    </svg>
                  </button>
                  <nav aria-label="Hoofdmenu" className="mt-2 flex flex-col">
                    <Menu className="drawer-link" />
                  </nav>
                </div>
              </dialog>
            </div>
          </>
        )}
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer className="bg-panel text-on-panel">
      <div className="mx-auto w-full max-w-page px-4 md:px-6 grid gap-8 py-10 md:grid-cols-3">
        <section aria-label="Klantenservice">
          <h2 className="text-h3">Hulp nodig?</h2>
          <p className="mt-1">
            <a className="text-on-panel underline inline-flex items-center min-h-11 mr-6 tabular-nums" href="tel:+31302001234">
              030 200 1234
            </a>
            <a className="text-on-panel underline inline-flex items-center min-h-11 [overflow-wrap:anywhere]" href="mailto:klantenservice@bovenbuis.example">
              klantenservice@bovenbuis.example
            </a>
          </p>
        </section>
        <section>
          <h2 className="text-h3">Openingstijden van de klantenservice</h2>
          <div className="mt-3">
            <dl className="grid w-fit grid-cols-[auto_auto] gap-x-6 tabular-nums">
              {texts.hours.map(([days, times]) => (
                <div key={days} className="contents">
                  <dt>{days}</dt>
                  <dd>{times}</dd>
                </div>
              ))}
            </dl>
          </div>
        </section>
        <section>
          <h2 className="text-h3">Bovenbuis</h2>
          <ul className="mt-1">
            {texts.links.map(([href, text]) => (
              <li key={href}>
                <Link className="text-on-panel underline inline-flex items-center min-h-11" to={href}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </footer>
  );
}

export function Frame() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a className="skip-link" href="#main">
        Ga naar de inhoud
      </a>
      <Header />
      <main className="mx-auto w-full max-w-page px-4 md:px-6 grow pb-16 pt-10" id="main" tabIndex="-1">
        <Outlet />
      </main>
      <Footer />
      <ScrollRestoration />
    </div>
  );
}
