import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readFlowText } from '../app/flow-text.ts'
import { flowFiles, readFlowFor, readSetup } from '../app/read-installation.ts'
import type { Flow } from '../flow/model/flow.ts'
import { formatProblem, nearest, type Problem } from '../kernel/file-problem.ts'
import { checkStudioLists } from './check-studio-lists.ts'
import type { CliContext } from './place/cli-context.ts'

/** `switchboard flow check`: prints every problem; 1 if one of them is an error. */
export function flowCheck(files: readonly string[], { settings, write }: CliContext): number {
  const chosen = files.length > 0 ? files : flowFiles(settings.flowsDir)
  if (chosen.length === 0) {
    write(`there are no flows in ${settings.flowsDir}; name flow files, or set FLOWS_DIR`)
    return 1
  }
  const setup = readSetup(settings)
  const flows: Flow[] = []
  let errors = 0
  for (const file of chosen) {
    const text = textOf(file)
    if (text === undefined) {
      write(formatProblem(unread(file)))
      errors++
      continue
    }
    const { flow, problems } = readFlowFor(setup, file, text)
    for (const problem of problems) write(formatProblem(problem))
    errors += problems.filter(({ severity }) => severity === 'error').length
    if (flow) write(`${file}: ${flow.name}@${flow.revision}, ${flow.steps.size} steps`)
    if (flow) flows.push(flow)
  }
  for (const folder of new Set(chosen.map((file) => dirname(file)))) {
    for (const problem of checkStudioLists(folder, flows)) {
      write(formatProblem(problem))
      if (problem.severity === 'error') errors++
    }
  }
  if (setup.why)
    write(`teams, numbers, env and secrets were not checked: ${settings.setupFile} ${UNCHECKED[setup.why]}`)
  write(errors === 0 ? 'no errors' : `${errors} ${errors === 1 ? 'error' : 'errors'}`)
  return errors === 0 ? 0 : 1
}

const UNCHECKED = {
  missing: 'does not exist; that is all right until a number gets the flow',
  broken: 'has errors; "apply --dry-run" names them',
}

/** That a flow file cannot be read, with the name that the user may have meant. */
export function unread(file: string): Problem {
  return { file, line: 1, column: 1, severity: 'error', message: whyUnread(file) }
}

function whyUnread(file: string): string {
  if (existsSync(file)) return 'the file cannot be read; name a readable flow file'
  const folder = dirname(file)
  const meant = nearest(
    basename(file),
    flowFiles(folder).map((other) => basename(other)),
  )
  return `there is no such file; ${meant === undefined ? 'name a flow file' : `did you mean ${join(folder, meant)}?`}`
}

/** The text of a file, with the subflows if it is a flow, or undefined if it cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFlowText(file)
  } catch {
    return undefined
  }
}
