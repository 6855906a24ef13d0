/** What the description of a flow leaves out for the sake of reading, and callers would notice if it changed. */
import { formatDuration } from '../../kernel/duration.ts'
import type { Flow, GatherSpec, Prompt, Step } from '../model/flow.ts'
import type { Hours } from '../model/hours.ts'
import { promptInWords, templateInWords } from './prompt-words.ts'

/** Timings, further tries, and what agents and counts get of a step. */
export function detailsInWords(step: Step, flow: Flow): string[] {
  const mark = step.mark === undefined ? [] : [`The step is counted as "${step.mark}".`]
  return [...ownDetails(step, flow), ...mark]
}

/** The hours of a flow and its wordings in further languages. */
export function flowDetails(flow: Flow): string[] {
  const hours = Object.entries(flow.hours).map(([name, one]) => `The hours "${name}" are: ${hoursInWords(one)}.`)
  const wordings = Object.entries(flow.prompts).flatMap(([name, byLanguage]) =>
    flow.languages.slice(1).flatMap((language) => {
      const prompt = byLanguage[language]
      return prompt ? [`The words of "${name}" in "${language}" are: "${promptInWords(prompt, flow)}"`] : []
    }),
  )
  const fields = Object.entries(flow.activity).map(
    ([field, value]) => `The record of the call has ${field}: ${templateInWords(value)}.`,
  )
  return [...hours, ...wordings, ...fields]
}

function ownDetails(step: Step, flow: Flow): string[] {
  switch (step.kind) {
    case 'gather':
      return [
        ...tryDetails(step.spec, flow),
        `Between two keys it waits ${formatDuration(step.spec.interDigitTimeoutMs)}.`,
      ]
    case 'menu':
      return tryDetails(step.spec, flow)
    case 'http': {
      const { required, match } = step.spec
      const members = [...required, ...Object.keys(match).filter((member) => !required.includes(member))]
      return members.length === 0 ? [] : [`An answer needs to have: ${members.join(', ')}.`]
    }
    case 'queue': {
      const { priority, music, popup } = step.spec
      return [
        ...(priority === 0 ? [] : [`The caller has the priority ${priority}.`]),
        ...(music === undefined ? [] : [`The music is "${music}".`]),
        ...(popup === undefined ? [] : [`The agent's screen opens ${templateInWords(popup)}.`]),
      ]
    }
    case 'hangup':
      return step.spec.outcome === undefined ? [] : [`The call is counted as "${step.spec.outcome}".`]
    default:
      return []
  }
}

function tryDetails(spec: Pick<GatherSpec, 'reprompt' | 'firstDigitTimeoutMs' | 'bargeIn'>, flow: Flow): string[] {
  const { reprompt, firstDigitTimeoutMs, bargeIn } = spec
  const words = (prompts: readonly Prompt[]) =>
    prompts.map((prompt) => `"${promptInWords(prompt, flow)}"`).join(', then ')
  return [
    `After the prompt it waits ${formatDuration(firstDigitTimeoutMs)} for a key.`,
    ...(bargeIn ? [] : ['A key does not stop the prompt.']),
    ...(reprompt.noInput.length > 0 ? [`A silent caller hears first: ${words(reprompt.noInput)}`] : []),
    ...(reprompt.invalid.length > 0 ? [`After a wrong key the caller hears first: ${words(reprompt.invalid)}`] : []),
  ]
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function hoursInWords({ timeZone, weekly, holidays }: Hours): string {
  const time = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const days = [...weekly].map(
    ([day, ranges]) => `${DAYS[day - 1]} ${ranges.map(([from, to]) => `${time(from)}-${time(to)}`).join(' ')}`,
  )
  const closed = holidays.size === 0 ? [] : [`not on ${[...holidays].join(', ')}`]
  return [`${days.join(', ')} (${timeZone})`, ...closed].join('; ')
}
