import { didYouMean, nearest, type Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Prompt, QueueSpec, Step } from '../model/flow.ts'
import { comparisonsOf } from '../model/json-path.ts'
import { error, errorAtKey, type Rule, type Subject, warn, warnAtKey } from './lint-subject.ts'
import { conditionsOf } from './lint-variables.ts'

/** Prompts of the catalogue: they exist, have no cycles, are used, and have a text in every language of the flow. */
export const lintPrompts: Rule = (subject) => {
  const { flow, reading } = subject
  const names = Object.keys(flow.prompts)
  const unknown = reading.prompts.filter(({ name }) => !(name in flow.prompts))
  // A misspelt name is one mistake: the prompt it means is not idle too.
  const used = new Set(reading.prompts.map(({ name }) => (name in flow.prompts ? name : nearest(name, names))))
  return [
    ...unknown.map(({ name, path }) =>
      error(subject, path, `there is no prompt "${name}"${didYouMean(name, names) || '; add it under prompts'}`),
    ),
    ...names.flatMap((name) => lintWordings(subject, name)),
    ...lintCircles(subject),
    ...names
      .filter((name) => !used.has(name))
      .map((name) => warnAtKey(subject, ['prompts', name], `prompt "${name}" is never played; use it or remove it`)),
  ]
}

/** Recordings that are missing or no sound: their callers would hear an apology. */
export const lintRecordings: Rule = (subject) => {
  const { reading, known } = subject
  return reading.recordings.flatMap(({ file, path }) => {
    const why = known.whyNoRecording?.(file)
    return why === undefined ? [] : [error(subject, path, why)]
  })
}

/** A flow with several languages keeps its words in the catalogue; a bare text is spoken in one language only. */
export const lintLanguages: Rule = (subject) => {
  const { flow, reading } = subject
  if (flow.languages.length < 2) return []
  const bare = reading.templates.filter(({ template, path, place }) => {
    const isSpoken = place === 'speech' || place === 'confirm'
    return (
      isSpoken && path[0] === 'steps' && template.parts.some((part) => part.kind === 'text' && /\p{L}/u.test(part.text))
    )
  })
  const languages = flow.languages.join(', ')
  return bare.map(({ path }) =>
    warn(subject, path, `the flow has the languages ${languages}; move this text to prompts, with a wording for each`),
  )
}

export const lintHours: Rule = (subject) => {
  const { flow } = subject
  const names = Object.keys((subject.reading.source.value as { hours?: object }).hours ?? {})
  return [...flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'branch') return []
    return step.spec.cases.flatMap((one, index) => {
      if (one.kind !== 'open' || names.includes(one.hours)) return []
      const path = ['steps', step.name, 'branch', 'cases', index, 'open']
      return [
        error(
          subject,
          path,
          `there are no hours "${one.hours}"${didYouMean(one.hours, names) || '; add them under hours'}`,
        ),
      ]
    })
  })
}

/** Teams that the configuration does not have: their callers would wait without agents. */
export const lintTeams: Rule = (subject) => {
  const { teams } = subject.known
  if (!teams) return []
  return [...subject.flow.steps.values()].flatMap((step) => {
    const path = ['steps', step.name, step.kind, 'team']
    const isForTeam = step.kind === 'queue' || step.kind === 'record'
    const named = isForTeam && step.spec.team !== undefined ? teamsOf(step.spec.team, path) : []
    return named.flatMap(([team, at]) => {
      if (teams.has(team)) return []
      return [
        error(
          subject,
          at,
          `the configuration has no team "${team}"${didYouMean(team, teams) || '; add it under teams'}`,
        ),
      ]
    })
  })
}

/** Skills that no agent of the team has: the callers would be turned away. */
export const lintSkills: Rule = (subject) => {
  const { skills: known } = subject.known
  if (!known) return []
  return [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'queue') return []
    const { team, skills } = step.spec
    if (skills.length === 0) return []
    const path = ['steps', step.name, 'queue']
    const isAble = (agent: readonly string[]) => skills.every((skill) => agent.includes(skill))
    const names = new Set(teamsOf(team, path).map(([name]) => name))
    const unable = [...names].filter((name) => known.get(name)?.some(isAble) === false)
    return unable.map((name) => {
      const wanted = skills.length > 1 ? `all of ${skills.join(', ')}` : `the skill "${skills[0]}"`
      const message = `no agent of the team "${name}" has ${wanted}; add skills to an agent of the configuration`
      return error(subject, [...path, 'skills'], message)
    })
  })
}

/** Numbers of ours that a condition asks for and the configuration does not have: the case would never hold. */
export const lintNumbers: Rule = (subject) => {
  const { numbers } = subject.known
  if (!numbers) return []
  return [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'branch') return []
    return conditionsOf(step.spec).flatMap(({ condition, index }) => {
      const compared = comparisonsOf(condition).flatMap(({ members, literal }) => {
        const whole = [step.spec.in, ...members].filter((part) => part !== undefined).join('.')
        return whole === 'call.called' && typeof literal === 'string' ? [literal] : []
      })
      const unknown = compared.filter((number) => !numbers.has(number))
      return unknown.map((number) => {
        const remedy = didYouMean(number, numbers) || '; add it under numbers'
        const path = ['steps', step.name, 'branch', 'cases', index, 'when']
        return error(subject, path, `the configuration has no number "${number}"${remedy}`)
      })
    })
  })
}

/** Numbers that are answered in a language that the flow does not have: their callers would hear an apology. */
export const lintNumberLanguages: Rule = (subject) => {
  const { flow, known, reading } = subject
  const path = 'languages' in (reading.source.value as object) ? ['languages'] : ['flow']
  return (known.spoken?.get(flow.name) ?? []).flatMap(({ number, language }) => {
    if (flow.languages.includes(language)) return []
    const has = `the flow has ${flow.languages.join(', ')}`
    const remedy = 'add the language to the flow, or change language of the number'
    return [error(subject, path, `the number ${number} has the language "${language}", and ${has}; ${remedy}`)]
  })
}

function teamsOf(team: QueueSpec['team'], path: Path): (readonly [string, Path])[] {
  if (typeof team === 'string') return [[team, path]]
  const mapped = Object.entries(team.map).map(([value, name]) => [name, [...path, 'map', value]] as const)
  return [...mapped, [team.else, [...path, 'else']]]
}

/** A text message in several languages has one text for each language of the flow. */
export const lintSmsLanguages: Rule = (subject) => {
  const { steps, onHangup } = subject.flow
  const placed: (readonly [Step, Path])[] = [
    ...[...steps.values()].map((step) => [step, ['steps', step.name]] as const),
    ...onHangup.map((step, index) => [step, ['onHangup', index]] as const),
  ]
  return placed.flatMap(([{ kind, spec }, path]) => {
    if (kind !== 'sms' || !('byLanguage' in spec.text)) return []
    const read = Object.keys(spec.text.byLanguage)
    const at = [...path, 'sms', 'text']
    return isMisread(subject, at, read) ? [] : languagesOf(subject, read, at, 'the text message')
  })
}

function lintWordings(subject: Subject, name: string): Problem[] {
  const read = Object.keys(subject.flow.prompts[name]!)
  const path = ['prompts', name]
  return isMisread(subject, path, read) ? [] : languagesOf(subject, read, path, `prompt "${name}"`)
}

/** A wording that could not be read is not missing: its mistake is reported where it stands. */
function isMisread({ reading }: Subject, path: Path, read: readonly string[]): boolean {
  const written = path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    reading.source.value,
  )
  return Object.keys(written as object).some((language) => !read.includes(language))
}

/** `what` has wordings in these languages: which of the flow's are missing, and which the flow does not have. */
function languagesOf(subject: Subject, worded: readonly string[], path: Path, what: string): Problem[] {
  const { languages } = subject.flow
  const missing = languages.filter((language) => !worded.includes(language))
  const idle = worded.filter((language) => !languages.includes(language))
  return [
    ...missing.map((language) => errorAtKey(subject, path, `${what} has no wording in "${language}"; add one`)),
    ...idle.map((language) =>
      warnAtKey(subject, [...path, language], `"${language}" is not a language of the flow; add it to languages`),
    ),
  ]
}

/** One message per cycle, at its first prompt. */
function lintCircles(subject: Subject): Problem[] {
  const reported = new Set<string>()
  return Object.keys(subject.flow.prompts).flatMap((name) => {
    const said = promptsSaidBy(subject, name)
    if (reported.has(name) || !said.has(name)) return []
    for (const other of said) reported.add(other)
    return [errorAtKey(subject, ['prompts', name], `prompt "${name}" contains itself; remove it from its own text`)]
  })
}

function promptsSaidBy({ flow }: Subject, name: string): ReadonlySet<string> {
  const mentionedBy = (prompt: Prompt) => prompt.flatMap((segment) => (segment.kind === 'prompt' ? [segment.name] : []))
  const said = new Set<string>()
  visit(name)
  // The set grows during the iteration, which also visits new members.
  for (const next of said) visit(next)
  return said

  function visit(next: string): void {
    for (const prompt of Object.values(flow.prompts[next] ?? {}))
      for (const other of mentionedBy(prompt)) said.add(other)
  }
}
