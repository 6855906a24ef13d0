import { didYouMean, type Problem } from '../kernel/file-problem.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'
import type { ConfigFile } from './config-schema.ts'

interface MailSurroundings {
  readonly teams: readonly string[]
  readonly source: YamlSource
  readonly wasCut: (path: Path) => boolean
}

/** Problems of the section. */
export function checkMail(mail: ConfigFile['mail'], { teams, source, wasCut }: MailSurroundings): Problem[] {
  if (!mail) return []
  const problems: Problem[] = []
  const owners = new Map<string, string>()
  for (const [name, { address, queue, imap }] of Object.entries(mail.mailboxes)) {
    const path: Path = ['mail', 'mailboxes', name]
    const other = owners.get(address.toLowerCase())
    owners.set(address.toLowerCase(), other ?? name)
    if (other) problems.push(source.problem([...path, 'address'], `mailbox ${other} has ${address} too; remove one`))
    if (queue !== undefined && !teams.includes(queue)) {
      const remedy = didYouMean(queue, teams) || '; add it under teams:'
      problems.push(source.problem([...path, 'queue'], `there is no team "${queue}"${remedy}`))
    }
    if (!imap && !mail.intake && !wasCut(['mail'])) {
      const message = `mailbox ${name} receives no email; add imap to it, or add mail.intake`
      problems.push(source.problemAtKey(path, message, 'warn'))
    }
  }
  const pairs = [
    ['intake', 'certificateFile', 'keyFile'],
    ['outbound', 'username', 'passwordFrom'],
  ] as const
  for (const [part, one, two] of pairs) {
    const given = mail[part] as Readonly<Record<string, unknown>> | undefined
    if (!given || (given[one] === undefined) === (given[two] === undefined) || wasCut(['mail', part])) continue
    const [has, lacks] = given[one] === undefined ? [two, one] : [one, two]
    problems.push(source.problemAtKey(['mail', part, has], `mail.${part} has ${has} without ${lacks}; add it`))
  }
  return problems
}

/** The environment variables that the section names. */
export function mailVariables(mail: ConfigFile['mail']): [Path, string | undefined][] {
  const mailboxes = Object.entries(mail?.mailboxes ?? {})
  return [
    ...mailboxes.map(([name, { imap }]): [Path, string | undefined] => [
      ['mail', 'mailboxes', name, 'imap', 'passwordFrom'],
      imap?.passwordFrom,
    ]),
    [['mail', 'outbound', 'passwordFrom'], mail?.outbound?.passwordFrom],
  ]
}
