export interface Problem {
  readonly file: string
  /** 1-based, as editors count. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warn'
  readonly message: string
}

/** `flows/a.yaml:11:7 error unknown key "tris"; did you mean "tries"?` */
export function formatProblem(problem: Problem): string {
  const { file, line, column, severity, message } = problem
  return `${file}:${line}:${column} ${severity.padEnd(5)} ${message}`
}

/** Sorts by place in the file. */
export function byPlace(a: Problem, b: Problem): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column
}

/** The choice nearest to `word`, if it is near enough to be a typing error; for "did you mean". */
export function nearest(word: string, choices: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const choice of choices) {
    const distance = editDistance(word.toLowerCase(), choice.toLowerCase())
    if (distance < bestDistance) {
      best = choice
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean "tries"?`, or nothing. */
export function didYouMean(word: string, choices: Iterable<string>): string {
  const guess = nearest(word, choices)
  return guess === undefined ? '' : `; did you mean "${guess}"?`
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
