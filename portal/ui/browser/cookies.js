/**
 * Stands in for universal-cookie (portal/reflex_adapter/patches.py). The framework would keep state in cookies with it.
 * This portal keeps none there: scripts cannot reach the session, and what scripts can write proves nothing.
 */
export default class Cookies {
  get() {
    return undefined;
  }

  set(name) {
    throw new Error(`no state is kept in cookies: ${name}`);
  }

  remove() {}
}
