/** Amounts, numbers, days and moments. Formatters are kept: making one costs far more than using it. */

const TAGS = { nl: "nl-NL", en: "en-GB" };
const made = new Map();

const formatter = (kind, language, options) => {
  const key = `${kind.name}|${language}|${JSON.stringify(options)}`;
  if (!made.has(key)) made.set(key, new kind(TAGS[language] ?? TAGS.nl, options));
  return made.get(key);
};

const isEmpty = (value) => value === null || value === undefined || value === "";

const asNumber = (language, value, options) => {
  const parsed = isEmpty(value) ? NaN : Number(value);
  return Number.isFinite(parsed) ? formatter(Intl.NumberFormat, language, options).format(parsed) : "";
};

export const money = (language, amount, currency) => asNumber(language, amount, { style: "currency", currency });

export const number = (language, value, decimals) => asNumber(language, value, { maximumFractionDigits: decimals });

/** A decimal text as it is typed into a field. */
export const decimal = (language, value) => (language === "nl" ? (value ?? "").replace(".", ",") : (value ?? ""));

const asDate = (language, value, options) => {
  if (isEmpty(value)) return "";
  // A day without a time is the same day everywhere; a moment is shown in the shop's own time.
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = new Date(whole ? `${value}T00:00:00Z` : value);
  if (Number.isNaN(date.getTime())) return "";
  const timeZone = whole ? "UTC" : "Europe/Amsterdam";
  // A line never ends between a day and its month.
  return formatter(Intl.DateTimeFormat, language, { ...options, timeZone }).format(date).replace(/(\d) /, "$1\u00a0");
};

const DAY = { day: "numeric", month: "long", year: "numeric" };

export const day = (language, value) => asDate(language, value, DAY);

// Some browsers put a comma behind an English weekday, others and our mails do not.
const withWeekday = (language, value, options) => asDate(language, value, { weekday: "long", ...options }).replace(",", "");

export const weekdayDay = (language, value) => withWeekday(language, value, DAY);

/** A day without its year, which stands beside it: "dinsdag 9 juni". */
export const weekdayMonth = (language, value) => withWeekday(language, value, { day: "numeric", month: "long" });

/** The shortest form of a day with its weekday: "di 9 jun". */
export const weekdayShort = (language, value) =>
  asDate(language, value, { weekday: "short", day: "numeric", month: "short" }).replace(",", "");

/** The first of two days, without what both have in common: the 8 of "8 to 14 June 2026". */
export const firstDay = (language, first, last) => {
  const shared = (length) => first.slice(0, length) === last.slice(0, length);
  if (shared(7)) return asDate(language, first, { day: "numeric" });
  return asDate(language, first, shared(4) ? { day: "numeric", month: "long" } : DAY);
};

export const month = (language, value) => asDate(language, value, { month: "short" });

export const clock = (language, value) => asDate(language, value, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const moment = (language, value) => {
  const time = clock(language, value);
  return time && `${day(language, value)}, ${time}`;
};
