/** Rules about text messages: their cost, and characters that raise it (GSM 03.38, now 3GPP TS 23.038). */
import type { Problem } from '../../kernel/file-problem.ts'
import type { Template } from '../model/template.ts'
import { type Rule, type Subject, warn, warnAtKey } from './lint-subject.ts'

const GSM_7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Each counts as two characters. */
const GSM_7_EXTENSION = '\f^{}\\[~]|€'

/** Characters of a single message, and of each part of a longer one. */
const GSM_7_LENGTH = { alone: 160, part: 153 }
const UCS_2_LENGTH = { alone: 70, part: 67 }

/** Estimated length of a value: a name, an amount, half a link. Our choice. */
const VALUE_LENGTH = 15
/** A payment text with a link fits into two. */
const PARTS_WELCOME_MAX = 2

/** The estimated size of a template when it is sent. */
interface SmsEstimate {
  readonly characters: number
  readonly parts: number
  readonly costly: readonly string[]
}

/** Counts characters and parts of a text; each value counts as 15 characters (our choice). */
function estimateSms(template: Template): SmsEstimate {
  const text = template.parts.map((part) => (part.kind === 'text' ? part.text : 'x'.repeat(VALUE_LENGTH))).join('')
  const costly = [...new Set(text)].filter((sign) => !GSM_7.includes(sign) && !GSM_7_EXTENSION.includes(sign))
  const inGsm7 = [...text].reduce((sum, sign) => sum + (GSM_7_EXTENSION.includes(sign) ? 2 : 1), 0)
  const characters = costly.length === 0 ? inGsm7 : text.length
  const { alone, part } = costly.length === 0 ? GSM_7_LENGTH : UCS_2_LENGTH
  return { characters, parts: characters <= alone ? 1 : Math.ceil(characters / part), costly }
}

/** Warns about texts that cost more than their author may expect. */
export const lintSms: Rule = (subject) => {
  return subject.reading.templates.flatMap(({ template, path, place }) => {
    return place === 'sms' ? lintText(subject, template, path) : []
  })
}

/** Text messages where nothing can send them: the step always ends with `failed`. */
export const lintTexting: Rule = (subject) => {
  const { flow, known } = subject
  if (known.canText !== false) return []
  const steps = [...flow.steps.values()].map((step) => ({ step, path: ['steps', step.name] as const }))
  const after = flow.onHangup.map((step, index) => ({ step, path: ['onHangup', index] as const }))
  const sending = [...steps, ...after].filter(({ step }) => step.kind === 'sms')
  const remedy = 'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or add sms: to the configuration'
  return sending.map(({ path }) => warnAtKey(subject, [...path, 'sms'], `no text message can be sent; ${remedy}`))
}

function lintText(subject: Subject, template: Template, path: readonly (string | number)[]): Problem[] {
  const { characters, parts, costly } = estimateSms(template)
  const cost = `about ${characters} characters, ${parts} ${parts === 1 ? 'part' : 'parts'}`
  if (costly.length > 0) {
    const shown = costly
      .slice(0, 5)
      .map((sign) => `"${sign}"`)
      .join(', ')
    return [
      warn(
        subject,
        path,
        `${shown} outside GSM-7: a part holds 70 characters instead of 160 (${cost}); replace them to save parts`,
      ),
    ]
  }
  return parts > PARTS_WELCOME_MAX ? [warn(subject, path, `the text message is long: ${cost}; shorten it`)] : []
}
