/** Reads a flow for a test and tells its problems as people see them, without the file's name. */

import { type KnownNames, readFlow } from '../../../src/flow/read/read-flow.ts'
import { formatProblem } from '../../../src/kernel/file-problem.ts'

export function problemsOf(text: string, known?: KnownNames): string[] {
  return readFlow('bad.yaml', text, known).problems.map((problem) => formatProblem(problem).slice('bad.yaml:'.length))
}

/** A flow with these steps; the first of them stands on line 4. */
export function flowOf(steps: string, start = 'a'): string {
  return `flow: test\nstart: ${start}\nsteps:\n${steps}`
}

/** The problem a marked text should have: `▸` stands before the place, and is no part of the text. */
export function marked(text: string, message: string): { text: string; problem: string } {
  const before = text.slice(0, text.indexOf('▸')).split('\n')
  return { text: text.replace('▸', ''), problem: `${before.length}:${before.at(-1)!.length + 1} ${message}` }
}

export const bye = '  bye: { hangup: { say: Goodbye. } }\n'

/** A step that stands on line 4, and one to go to. */
export const withStep = (step: string) => flowOf(`  a: ${step}\n${bye}`)
