/**
 * Stands in for universal-cookie (portal/ui/browser/framework.py). The framework would use it for state that is kept in
 * cookies; this portal keeps none there: what scripts can write proves nothing, and the session is out of their reach.
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
