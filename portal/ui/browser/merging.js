/**
 * Stands in for mergician (portal/reflex_adapter/patches.py). The framework uses it for one thing: to put flat objects,
 * such as styles, of a parent and its child together; the later one wins.
 */
export const mergician = (...objects) => Object.assign({}, ...objects);
