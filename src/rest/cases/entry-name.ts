import { cleanText } from '../../kernel/clean-text.ts'
import { Refusal, refuse } from '../http/problem-response.ts'

/** The name of an entry of a lookup list as it is kept. Throws a `Refusal` where people would see nothing of it. */
export function entryName(given: string): string {
  const name = cleanText(given)
  if (name !== '') return name
  const message = 'is blank; write a name that people see'
  throw new Refusal(refuse('validation', `name: ${message}`, { errors: [{ path: 'name', code: 'blank', message }] }))
}
