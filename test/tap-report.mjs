/** Maximum number of printed lines per failure. The difference of two blocks can have thousands of lines. */
const LINES_MAX = 60;

/**
 * Reads the TAP report of one test file. Counts passed and failed assertions. Each subtest counts as one assertion more.
 * If no assertion failed, but the process failed or the file has no assertion, the file counts as one failure.
 * @param options `isWhole`: true if the process exited with 0; `end`: text that describes how the process ended
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
 * Reads a report of `unit-files.mjs`, which runs several files. A result whose name is the path of a file follows the
 * results of this file. If it is missing, the file did not end, and later files were not started. All of them count as
 * failed.
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

/** Returns the lines of each failed assertion with its details. A failed subtest is one line, as it has no details. */
function failedPoints(lines) {
  return lines.flatMap((line, index) => {
    if (!/^ *not ok/.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const reported = [line];
    for (const next of lines.slice(index + 1, index + 1 + LINES_MAX)) {
      if (next.trim() !== '' && next.length - next.trimStart().length <= indent) break;
      reported.push(next);
    }
    return reported;
  });
}
