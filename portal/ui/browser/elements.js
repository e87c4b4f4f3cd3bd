/** Stands in for @emotion/react (portal/ui/browser/framework.py): elements, without a styling library. */
export { createElement as jsx } from "react";
