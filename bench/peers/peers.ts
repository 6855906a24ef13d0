/** Other dialers as policies, by name, for comparison in the same simulator (dialing-rules.md 2 and 3.5). */
import type { PolicyFactory } from '../../src/pacing-sim/policy.ts'
import { firstAnswer } from './first-answer.ts'
import { fixedRatio } from './fixed-ratio.ts'
import { issabel } from './issabel.ts'
import { vicidial } from './vicidial.ts'

const NAMED: Readonly<Record<string, PolicyFactory>> = {
  'vicidial-hard-limit': vicidial('vicidial-hard-limit', {}),
  'vicidial-tapered': vicidial('vicidial-tapered', { method: 'tapered' }),
  'vicidial-average': vicidial('vicidial-average', { method: 'average' }),
  'vicidial-available-only': vicidial('vicidial-available-only', { isAvailableOnly: true }),
  issabel: issabel('issabel', false),
  'issabel-overcommit': issabel('issabel-overcommit', true),
}

/** A number behind the name: lines for each agent. */
const NUMBERED: Readonly<Record<string, (name: string, lines: number) => PolicyFactory>> = {
  'fixed-free': (name, lines) => fixedRatio(name, lines, 'free'),
  'fixed-all': (name, lines) => fixedRatio(name, lines, 'all'),
  'first-answer': (name, lines) => firstAnswer(name, lines, 'atOnce'),
  'first-answer-lawful': (name, lines) => firstAnswer(name, lines, 'lawfully'),
}
const NUMBER = /^(.+)-(\d+(?:\.\d+)?)$/

/** What may be asked for, to be told to people; numbers stand for all of their kind. */
export const PEER_NAMES: readonly string[] = [
  ...Object.keys(NAMED),
  ...['fixed-free-2', 'fixed-all-1.2', 'first-answer-3', 'first-answer-lawful-3'],
]

/** The peer of that name; undefined when there is none. */
export function peerNamed(name: string): PolicyFactory | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  const [, kind = '', lines] = NUMBER.exec(name) ?? []
  return Object.hasOwn(NUMBERED, kind) ? NUMBERED[kind]!(name, Number(lines)) : undefined
}
