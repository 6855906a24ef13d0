/** Rules about sizes, and about descriptions above declarations. */
import { isSrc, placesOf, type SourceFile } from './source-files.ts'

/** Files with more lines than that. */
export function longFiles(files: readonly SourceFile[], linesMax: number): string[] {
  return files
    .filter(({ lines }) => lines.length > linesMax)
    .map(({ path, lines }) => `${path}:${linesMax} has ${lines.length} lines; split it at its second idea`)
}

/** Lines with more columns than that. */
export function longLines(files: readonly SourceFile[], columnsMax: number): string[] {
  return files.flatMap(({ path, lines }) =>
    placesOf(lines, (line) => line.length > columnsMax).map((line) => `${path}:${line} break the line`),
  )
}

/** Functions with more lines than that. Tests tell a story, and are exempt. */
export function longFunctions(files: readonly SourceFile[], linesMax: number): string[] {
  return files.filter(({ path }) => !path.startsWith('test/')).flatMap((file) => longFunctionsOf(file, linesMax))
}

/** Exported functions, classes and constants without a description. */
export function undocumented(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => isSrc(path)).flatMap(undocumentedIn)
}

/** The formatter puts the end of a function at the indentation of its beginning: that is how long it is. */
function longFunctionsOf({ path, code }: SourceFile, linesMax: number): string[] {
  const begins = [
    /^(\s*)(?:export )?(?:async )?function\b/,
    /^(\s*)(?:export )?const \w+ = (?:async )?\(.*=> \{$/,
    /^(\s*)(?:static |async |get )*#?\w+(?:<.*>)?\(.*\).* \{$/,
  ]
  const isStatement = /^\s*(if|for|while|switch|return|expect|test|describe|else)\b/
  return code.flatMap((line, index) => {
    const indentation = begins.map((begin) => begin.exec(line)?.[1]).find((found) => found !== undefined)
    if (indentation === undefined || isStatement.test(line)) return []
    const length = code.slice(index).findIndex((later, offset) => offset > 0 && later.startsWith(`${indentation}}`)) + 1
    const isLong = length > linesMax
    return isLong ? [`${path}:${index + 1} this function has ${length} lines; name its parts`] : []
  })
}

/** A docstring stands directly above. Types need none: most say all in their name and members. */
function undocumentedIn({ path, lines }: SourceFile): string[] {
  const declares = /^export (async )?(abstract )?(function|class|let|const [A-Z0-9_]+\b)/
  return placesOf(lines, (line, index) => declares.test(line) && !lines[index - 1]?.trimEnd().endsWith('*/')).map(
    (line) => `${path}:${line} say above what it is: units, errors, source`,
  )
}
