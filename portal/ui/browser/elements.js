/** Stands in for @emotion/react (portal/reflex_adapter/patches.py): elements, without a styling library. */
export { h as jsx } from "$/utils/portal/common";
