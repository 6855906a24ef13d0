import type { Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Flow } from '../model/flow.ts'
import type { Reading } from './reading.ts'

/** A number of the configuration, and the language in which it is answered. */
export interface SpokenNumber {
  readonly number: string
  readonly language: string
}

/** What is outside the file; an absent part is not checked. */
interface Known {
  readonly teams?: ReadonlySet<string>
  /** Of each team, what each of its agents can do. */
  readonly skills?: ReadonlyMap<string, readonly (readonly string[])[]>
  /** As the configuration writes them. */
  readonly numbers?: ReadonlySet<string>
  /** Hosts of `sip:` addresses that callers may be transferred to: names and hosts of trunks, in lower case. */
  readonly sipHosts?: ReadonlySet<string>
  readonly env?: ReadonlySet<string>
  readonly secrets?: ReadonlySet<string>
  /** Of each flow that answers numbers, the numbers that ask for a language. */
  readonly spoken?: ReadonlyMap<string, readonly SpokenNumber[]>
  /** Of each flow that answers numbers, those without an external system. */
  readonly systemless?: ReadonlyMap<string, readonly string[]>
  /** Whether the installation can send text messages. */
  readonly canText?: boolean
  /** Language in small letters → its engine. */
  readonly voices?: ReadonlyMap<string, string>
  /** Whether an engine for speech understands callers. */
  readonly hasEars?: boolean
  readonly whyNoRecording?: (file: string) => string | undefined
}

export interface Subject {
  /** Without the steps that could not be read. */
  readonly flow: Flow
  /** With the steps of its subflows. */
  readonly whole: Flow
  /** The flows that `subflow` steps name, or why they cannot be used. */
  readonly subflows: ReadonlyMap<string, Flow | string>
  readonly reading: Reading
  readonly known: Known
  /** All steps of the file, including those that could not be read. */
  readonly stepNames: ReadonlySet<string>
  /** Every step and every subflow could be read, so rules about the whole graph apply. */
  readonly isWhole: boolean
}

export type Rule = (subject: Subject) => Problem[]

/** An error at the value that `path` names. */
export function error({ reading }: Subject, path: Path, message: string): Problem {
  return reading.source.problem(path, message)
}

/** An error at the key itself. */
export function errorAtKey({ reading }: Subject, path: Path, message: string): Problem {
  return reading.source.problemAtKey(path, message)
}

/** A warning at the value: the flow may still be used. */
export function warn({ reading }: Subject, path: Path, message: string): Problem {
  return reading.source.problem(path, message, 'warn')
}

/** A warning at the key itself. */
export function warnAtKey({ reading }: Subject, path: Path, message: string): Problem {
  return reading.source.problemAtKey(path, message, 'warn')
}
