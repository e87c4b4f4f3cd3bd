import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Asks the API; throws the answer when it is a refusal. */
export async function ask(method, path, body) {
  const answer = await fetch(`/api/${path}`, {
    method,
    headers: body && { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status, body: await answer.json() });
  return answer.status === 204 ? null : answer.json();
}

/** Data of the customer; somebody who is not logged in goes to the login. */
export function useMine(path) {
  const navigate = useNavigate();
  const query = useQuery({ queryKey: [path], queryFn: () => ask("GET", path) });
  useEffect(() => {
    if (query.error?.status === 401) navigate("/");
  }, [query.error, navigate]);
  return query;
}
