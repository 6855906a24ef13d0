/** The rule about times of the engine, which are UTC: callers have clocks of their own. */
import { type Rule, warn } from './lint-subject.ts'

/** Warns where a text writes when the call came by the clock of Greenwich. */
export const lintZones: Rule = (subject) => {
  return subject.reading.templates.flatMap(({ template, path }) => {
    const unzoned = template.parts.flatMap((part) => {
      if (part.kind !== 'value' || part.path.parts.join('.') !== 'call.startedAt') return []
      const { filter } = part
      return (filter?.name === 'date' || filter?.name === 'time') && filter.timeZone === undefined ? [filter.name] : []
    })
    const [name] = unzoned
    if (name === undefined) return []
    return [warn(subject, path, `call.startedAt is UTC; write \`| ${name} Europe/Copenhagen\`, with your time zone`)]
  })
}
