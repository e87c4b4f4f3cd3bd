/**
 * Stands in for the transports of engine.io-client (portal/reflex_adapter/patches.py): the portal speaks over WebSocket
 * only. The library names the other ones when it is loaded and never uses them.
 */
import { WS } from "../../node_modules/engine.io-client/build/esm/transports/websocket.js";

export const transports = { websocket: WS };
export { WS as Fetch, WS as WT, WS as XHR };
