import { itemAt } from '../primitives/assert.js';
import { UsageError } from '../primitives/errors.js';

/** A Quartz cron expression: second, minute, hour, day of month, month, day of week, and an optional year. */
export interface Cron {
  readonly text: string;
  /** Returns true if the second that contains `ms` matches. */
  isSatisfied(ms: number): boolean;
  /** Returns the first matching time (ms) after the second that contains `ms`; undefined if no time matches. */
  nextAfter(ms: number): number | undefined;
}

/**
 * Parses a cron expression. As in java-tron, times are in the time zone of the machine (`TZ`). Reference:
 * org.quartz.CronExpression 2.3.2.
 * @throws {UsageError} the expression is invalid
 */
export function parseCron(text: string): Cron {
  const fields = text.toUpperCase().trim().split(/\s+/);
  const [seconds, minutes, hours, days, months, weekdays, years = '*'] = fields;
  if (!seconds || !minutes || !hours || !days || !months || !weekdays)
    throw new UsageError(`cron expression "${text}" is too short; use 6 or 7 fields`);
  if ((days === '?') === (weekdays === '?'))
    throw new UsageError(`cron expression "${text}": exactly one of day of month and day of week must be '?'`);
  const times = {
    seconds: values(seconds, SECOND, text),
    minutes: values(minutes, MINUTE, text),
    hours: values(hours, HOUR, text),
    months: new Set(values(months, MONTH, text)),
    years: new Set(values(years, YEAR, text)),
    isDay: days === '?' ? weekdayRule(weekdays, text) : dayRule(days, text),
  };
  const nextAfter = (ms: number) => findNext(times, Math.floor(ms / 1000) * 1000 + 1000);
  const isSatisfied = (ms: number) => {
    const date = new Date(ms);
    return (
      times.seconds.includes(date.getSeconds()) &&
      times.minutes.includes(date.getMinutes()) &&
      times.hours.includes(date.getHours()) &&
      isMatchingDay(times, date)
    );
  };
  return { text, isSatisfied, nextAfter };
}

type DayRule = (day: Day) => boolean;
/**
 * A day of the local calendar. `day` is the day of the month, and `last` the last day of this month. `weekday` is 1 for
 * Sunday to 7 for Saturday.
 */
interface Day {
  readonly day: number;
  readonly weekday: number;
  readonly last: number;
  readonly weekdayOf: (day: number) => number;
}
interface Times {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
  readonly isDay: DayRule;
}
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** Number of years that Quartz searches ahead. */
const YEARS_AHEAD = 100;
const SECOND: Field = { name: 'second', min: 0, max: 59 };
const MINUTE: Field = { name: 'minute', min: 0, max: 59 };
const HOUR: Field = { name: 'hour', min: 0, max: 23 };
const DAY: Field = { name: 'day of month', min: 1, max: 31 };
const MONTH: Field = {
  ...{ name: 'month', min: 1, max: 12 },
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const WEEKDAY: Field = {
  ...{ name: 'day of week', min: 1, max: 7 },
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};
const YEAR: Field = { name: 'year', min: 1970, max: new Date().getFullYear() + YEARS_AHEAD };

/**
 * Returns the first matching time. Searches for a matching day first, then for a matching time of that day. `Date`
 * handles months, leap years and daylight saving time.
 */
function findNext(times: Times, from: number): number | undefined {
  const start = new Date(from);
  const lastYear = Math.max(...times.years);
  for (let offset = 0; ; offset++) {
    const noon = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset, 12);
    if (noon.getFullYear() > lastYear) return undefined;
    if (!isMatchingDay(times, noon)) continue;
    const found = firstTime(times, noon, from);
    if (found !== undefined) return found;
  }
}

function isMatchingDay(times: Times, date: Date): boolean {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (!times.years.has(year) || !times.months.has(month + 1)) return false;
  const weekdayOf = (other: number) => new Date(year, month, other, 12).getDay() + 1;
  return times.isDay({ day, weekday: date.getDay() + 1, last: new Date(year, month + 1, 0, 12).getDate(), weekdayOf });
}

/** Returns the first matching time of a day. Skips times that do not exist because daylight saving time begins. */
function firstTime(times: Times, date: Date, from: number): number | undefined {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  for (const hour of times.hours) {
    if (new Date(year, month, day, hour, 59, 59).getTime() < from) continue;
    for (const minute of times.minutes)
      for (const second of times.seconds) {
        const time = new Date(year, month, day, hour, minute, second);
        if (time.getTime() >= from && time.getHours() === hour) return time.getTime();
      }
  }
  return undefined;
}

/**
 * Parses the field day of week. `5L` is the last Thursday (weekday 5) of the month, and `5#2` the second Thursday. `L`
 * alone is Saturday. Any other text is a list of weekdays.
 */
function weekdayRule(field: string, text: string): DayRule {
  const last = /^(\w+)L$/.exec(field);
  if (last) {
    const weekday = value(itemAt(last, 1), WEEKDAY, text);
    return (date) => date.weekday === weekday && date.day + 7 > date.last;
  }
  const nth = /^(\w+)#(\d+)$/.exec(field);
  if (nth) {
    const [weekday, count] = [value(itemAt(nth, 1), WEEKDAY, text), Number(nth[2])];
    if (count < 1 || count > 5) throw wrong(WEEKDAY, field, text);
    return (date) => date.weekday === weekday && Math.ceil(date.day / 7) === count;
  }
  const weekdays = new Set(field === 'L' ? [7] : values(field, WEEKDAY, text));
  return (date) => weekdays.has(date.weekday);
}

/**
 * Parses the field day of month. `L`: last day. `L-3`: three days before the last day. `LW`: last working day. `15W`:
 * working day nearest to the 15th.
 *
 * As in Quartz, a day with W that the month does not have is a day of the next month. For example, 31W in September is
 * 1 October. If 1 October is a Saturday, 31W matches 30 September. Otherwise, 31W matches no day in September.
 */
function dayRule(field: string, text: string): DayRule {
  const last = /^L(?:-(\d+))?(W)?$/.exec(field);
  if (last) {
    const before = Number(last[1] ?? 0);
    if (before > 30) throw wrong(DAY, field, text);
    return (date) => date.day === (last[2] ? workingDay(date, date.last - before) : date.last - before);
  }
  const near = /^(\d+)W$/.exec(field);
  if (near) {
    const target = value(itemAt(near, 1), DAY, text);
    return (date) => date.day === workingDay(date, target);
  }
  const days = new Set(values(field, DAY, text));
  return (date) => days.has(date.day);
}

/**
 * Moves a Saturday to Friday and a Sunday to Monday. If the result is in another month, moves the day to the nearest
 * working day of its own month.
 */
function workingDay({ last, weekdayOf }: Day, day: number): number {
  if (weekdayOf(day) === 7) return day === 1 ? 3 : day - 1;
  if (weekdayOf(day) === 1) return day === last ? day - 2 : day + 1;
  return day;
}

/**
 * Returns the sorted values of a list. An element is `*`, `a` or `a-b`, with an optional `/step`. A range whose end is
 * below its start, such as 22-2, continues with the lowest value after the highest value.
 */
function values(text: string, field: Field, whole: string): readonly number[] {
  return [...new Set(text.split(',').flatMap((part) => range(part, field, whole)))].sort((a, b) => a - b);
}

function range(part: string, field: Field, whole: string): number[] {
  const match = /^(?:(\*)|(\w+)(?:-(\w+))?)?(?:\/(\d+))?$/.exec(part);
  if (match === null || part === '') throw wrong(field, part, whole);
  const [, star, first, second, step] = match;
  const start = star || first === undefined ? field.min : value(first, field, whole);
  if (step === '0' && !star && first !== undefined) return [start];
  const open = star !== undefined || first === undefined || (second === undefined && step !== undefined);
  const end = open ? field.max : second === undefined ? start : value(second, field, whole);
  const by = Math.max(1, Number(step ?? 1));
  if (by > field.max || (end < start && field === YEAR)) throw wrong(field, part, whole);
  const span = field.max - field.min + 1;
  const count = Math.floor(((end < start ? end + span : end) - start) / by) + 1;
  const all = Array.from({ length: count }, (_, i) => start + i * by);
  // Quartz accepts years out of range, but such years never match.
  if (field === YEAR) return all.filter((year) => year >= YEAR.min && year <= YEAR.max);
  return all.map((number) => field.min + ((number - field.min) % span));
}

function value(text: string, field: Field, whole: string): number {
  const named = field.names?.indexOf(text) ?? -1;
  const number = named >= 0 ? named + field.min : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const isInReach = field === YEAR ? number <= 9999 : number >= field.min && number <= field.max;
  if (!isInReach) throw wrong(field, text, whole);
  return number;
}

function wrong({ name }: Field, part: string, whole: string): UsageError {
  return new UsageError(`cron expression "${whole}": invalid ${name} "${part}"`);
}
