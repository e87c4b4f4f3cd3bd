/** Sends one file: announced in a few bytes, which is where limits are told; then its body, with progress. */

const SILENCE = 60000;
const EVERY = 200;
const failed = (error) => ({ success: false, data: null, error });

const read = (text) => {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.success === "boolean" ? answer : failed("upload_failed");
  } catch {
    return failed("upload_failed");
  }
};

const announce = async (draft, field, file, signal) => {
  try {
    const answer = await fetch(`/files/drafts/${draft}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ field, name: file.name, size: file.size }),
      signal,
    });
    return read(await answer.text());
  } catch {
    return failed("upload_failed");
  }
};

// One after the other, so that files stand in the order in which they were chosen.
let announced = Promise.resolve();
const inTurn = (act) => {
  announced = announced.then(act);
  return announced;
};

// fetch tells nothing of how much was sent.
const transfer = (id, file, request, progress) =>
  new Promise((resolve) => {
    let told = 0;
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), SILENCE);
    };
    const end = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    request.upload.onprogress = ({ loaded }) => {
      wait();
      const now = performance.now();
      if (now - told < EVERY && loaded < file.size) return;
      told = now;
      progress(Math.min(loaded, file.size));
    };
    request.onload = () => end(read(request.responseText));
    request.onerror = request.onabort = () => end(failed("upload_failed"));
    request.open("PUT", `/files/uploads/${id}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    wait();
    request.send(file);
  });

/** Send a file. `answer` is the envelope, also when it was stopped; it never throws. */
export const send = (draft, field, file, progress) => {
  const announcing = new AbortController();
  const request = new XMLHttpRequest();
  let id = "";
  let stopped = false;
  const forget = () => id && fetch(`/files/uploads/${id}`, { method: "DELETE", keepalive: true }).catch(() => null);
  const whole = async () => {
    const place = await inTurn(() => (stopped ? failed("upload_failed") : announce(draft, field, file, announcing.signal)));
    if (!place.success || stopped) return place;
    id = place.data.upload_id;
    const answer = await transfer(id, file, request, progress);
    if (!answer.success) forget(); // its place is free at once
    return answer;
  };
  return {
    answer: whole(),
    stop: () => {
      stopped = true;
      announcing.abort();
      request.abort();
      forget();
    },
  };
};
