/** Lines of a failure that are shown: a difference of two blocks can have thousands. */
const MOST_LINES = 60;

/**
 * What a TAP report says of each file: `name`, how many assertions passed and failed (a test of tests counts as one more), whether the
 * file ended well, and the lines of what failed.
 */
export function readReport(text) {
  const files = [];
  let lines = [];
  for (const line of text.split('\n')) {
    const end = /^(not )?ok \d+ - (\S+)/.exec(line);
    lines.push(line);
    if (end === null) continue;
    files.push(readFile(end[2], end[1] === undefined, lines));
    lines = [];
  }
  return files;
}

function readFile(name, isGood, lines) {
  const points = lines.filter((line) => /^(?: {4}| {8,})(?:not )?ok \d/.test(line));
  const failed = points.filter((line) => /^ *not ok/.test(line)).length;
  // A file that ends badly counts as one failure.
  return {
    name,
    isGood,
    passed: points.length - failed,
    failed: isGood ? failed : Math.max(1, failed),
    failures: failedPoints(lines),
  };
}

/** Each failed point with what the report says of it; one that only sums up those inside it is one line. */
function failedPoints(lines) {
  return lines.flatMap((line, index) => {
    if (!/^ *not ok/.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const told = [line];
    for (const next of lines.slice(index + 1, index + 1 + MOST_LINES)) {
      if (next.trim() !== '' && next.length - next.trimStart().length <= indent) break;
      told.push(next);
    }
    return told;
  });
}
