/** Sends one file: first its name and size, so that a refusal costs a few bytes, then its body, with progress. */
import { failed, isEnvelope, post } from "$/utils/portal/forms";

const SILENCE = 60000;
const EVERY = 200;

// One after the other, so that files stand in the order in which they were chosen.
let announced = Promise.resolve();
const inTurn = (act) => {
  announced = announced.then(act);
  return announced;
};

// fetch does not report how much was sent.
const transfer = (place, file, request, progress) =>
  new Promise((resolve) => {
    let reported = 0;
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
      if (now - reported < EVERY && loaded < file.size) return;
      reported = now;
      progress(Math.min(loaded, file.size));
    };
    request.onload = () => end(isEnvelope(request.response) ? request.response : failed("upload_failed"));
    request.onerror = request.onabort = () => end(failed("upload_failed"));
    request.open("PUT", place);
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    wait();
    request.send(file);
  });

/** Sends a file. `answer` is the envelope, also when it was stopped; it never throws. */
export const send = ({ at, draft, field }, file, progress) => {
  const request = new XMLHttpRequest();
  let id = "";
  let stopped = false;
  const forget = () => id && fetch(`${at}/uploads/${id}`, { method: "DELETE", keepalive: true }).catch(() => null);
  const whole = async () => {
    const place = await inTurn(() =>
      stopped ? failed("upload_failed") : post(`${at}/drafts/${draft}`, { field, name: file.name, size: file.size }),
    );
    if (!place.success) return place;
    id = place.data.upload_id;
    if (stopped) {
      forget();
      return failed("upload_failed");
    }
    const answer = await transfer(`${at}/uploads/${id}`, file, request, progress);
    if (!answer.success) forget(); // its place is free at once
    return answer;
  };
  return {
    answer: whole(),
    stop: () => {
      stopped = true;
      request.abort();
      forget();
    },
  };
};
