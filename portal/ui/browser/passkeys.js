/** Passkeys: the server says what to ask the device for, and checks what it answers. */
import { useEffect, useRef, useState } from "react";
import { h } from "$/utils/portal/common";
import { failed, post } from "$/utils/portal/forms";
import { LoginForm } from "$/utils/portal/login";

const RENEWAL = 240000; // a challenge works for five minutes
// Browsers got this method, its counterpart for requests and `toJSON` in one version.
const isAble = () => Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON);

// The device is asked for one thing at a time. Behind the list of a field it is asked until something is chosen.
let asking;
let renewal;

const ask = async (action, makes, mediation) => {
  asking.abort();
  clearTimeout(renewal);
  const { signal } = (asking = new AbortController());
  const begun = await post(`${action}/options`, {});
  if (!begun.success) return begun;
  try {
    const publicKey = PublicKeyCredential[makes ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON"](begun.data.options);
    const credential = await navigator.credentials[makes ? "create" : "get"]({ publicKey, signal, mediation });
    return { success: true, data: JSON.stringify(credential) };
  } catch (error) {
    return failed(error.name === "InvalidStateError" ? "passkey_exists" : "passkey_cancelled");
  }
};

/**
 * A form that makes a passkey (`makes`) or logs in with one; `missing` where the browser has none. With `listed`, fields
 * whose autocomplete names `webauthn` list passkeys, too, and choosing one sends the form.
 */
export const PasskeyForm = ({ makes, listed, missing, onDone, children, ...rest }) => {
  const [able, setAble] = useState(true);
  const chosen = useRef(null);
  const list = async () => {
    if (!listed || !(await PublicKeyCredential.isConditionalMediationAvailable?.()) || asking.signal.aborted) return;
    const answer = ask(rest.action, false, "conditional");
    renewal = setTimeout(list, RENEWAL);
    chosen.current = await answer;
    if (chosen.current.success) document.querySelector(`form[data-login="${rest.name}"]`)?.requestSubmit();
  };
  useEffect(() => {
    asking = new AbortController();
    setAble(isAble());
    if (isAble()) list();
    return () => (clearTimeout(renewal), asking.abort());
  }, []);
  const send = async (action, values) => {
    const answer = chosen.current?.success ? chosen.current : await ask(action, makes);
    chosen.current = null;
    const done = answer.success ? await post(action, { ...values, credential: answer.data }) : answer;
    if (done.success) onDone?.();
    else list();
    return done;
  };
  return able ? h(LoginForm, { ...rest, send }, children) : missing ? h("p", null, missing) : null;
};

/** Tells the server with a form whether the device itself can keep a passkey. */
export const PasskeyField = () => {
  const [value, setValue] = useState("");
  useEffect(() => {
    if (isAble()) PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then((found) => setValue(found ? "1" : ""));
  }, []);
  return h("input", { type: "hidden", name: "passkeys", value });
};
