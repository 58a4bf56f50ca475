/** Lines of a failure that are shown: a difference of two blocks can have thousands. */
const MOST_LINES = 60;

/**
 * Reads the TAP report of one file. Returns `name`, the number of passed and failed assertions (a subtest counts as one
 * more), whether the file ended well, and the lines of the failures. A file that ends badly counts as one failure.
 */
export function readFileReport(name, text, { isWhole, end }) {
  const lines = text.split('\n');
  const passed = lines.filter((point) => /^ *ok \d/.test(point)).length;
  const failed = lines.filter((point) => /^ *not ok \d/.test(point)).length;
  const isGood = isWhole && failed === 0 && passed > 0;
  const failures = failedPoints(lines);
  return {
    name,
    isGood,
    passed,
    failed: isGood ? 0 : Math.max(1, failed),
    failures: failures.length > 0 || isGood ? failures : [end],
  };
}

/**
 * Reads a report of unit tests (`unit-files.mjs`): the points of a file come before one with its name. A file without
 * its name did not end. The files after it were not started. All of these files failed.
 */
export function readUnitReport(text, { files, isWhole, end }) {
  const found = [];
  let lines = [];
  for (const line of text.split('\n')) {
    const [, name] = /^ok \d+ - (\S+)/.exec(line) ?? [];
    if (name !== files[found.length]) {
      lines.push(line);
      continue;
    }
    const passed = lines.filter((point) => /^ *ok \d/.test(point)).length;
    const failed = lines.filter((point) => /^ *not ok \d/.test(point)).length;
    found.push({ name, isGood: failed === 0, passed, failed, failures: failedPoints(lines) });
    lines = [];
  }
  const cut = files.slice(found.length).map((name) => ({ name, isGood: false, passed: 0, failed: 1, failures: [] }));
  if (cut.length > 0) cut[0].failures = [...failedPoints(lines), end];
  const last = found.at(-1);
  if (!isWhole && cut.length === 0 && found.every(({ isGood }) => isGood))
    found.push({ ...last, isGood: false, passed: 0, failed: 1, failures: [end] });
  return [...found, ...cut];
}

/** Each failed point with what the report says of it; one that only sums up those inside it is one line. */
function failedPoints(lines) {
  return lines.flatMap((line, index) => {
    if (!/^ *not ok/.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const reported = [line];
    for (const next of lines.slice(index + 1, index + 1 + MOST_LINES)) {
      if (next.trim() !== '' && next.length - next.trimStart().length <= indent) break;
      reported.push(next);
    }
    return reported;
  });
}
