import { describe, expect, test } from 'vitest'
import { automaticBecause, type MailSurroundings, SAME_IN_HOUR_MAX } from '../../src/cases/automatic-mail.ts'

const mail = (headers: Readonly<Record<string, string>>, envelopeFrom?: string) => {
  return { headers: new Map(Object.entries(headers)), envelopeFrom, sender: 'petra@debtor.example' }
}
const around = (change: Partial<MailSurroundings> = {}): MailSurroundings => {
  return { isOurs: false, mailboxes: new Set(['help@us.example']), sameInLastHour: 0, ...change }
}

describe('an automatic email', () => {
  test.each([
    ['an absence note', { 'auto-submitted': 'auto-replied' }],
    ['an absence note with parameters', { 'auto-submitted': 'auto-replied; owner-email="x"' }],
    ['an alarm', { 'auto-submitted': 'auto-generated' }],
    ['what old vacation programs write', { precedence: 'Bulk' }],
    ['junk', { precedence: 'junk' }],
    ['what Exchange asks not to be answered', { 'x-auto-response-suppress': 'OOF, AutoReply' }],
    ['an autoresponder', { 'x-autoreply': 'yes' }],
    ['a newsletter', { 'list-id': '<news.example>', 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }],
    ['one that takes no answers', { 'list-post': 'NO', 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }],
    ['a bounce by its path', { 'return-path': '<>' }],
    ['a report', { 'content-type': 'multipart/report; report-type=delivery-status' }],
  ])('%s is recognised by its headers', (_, headers) => {
    expect(automaticBecause(mail(headers), around())).toBeTypeOf('string')
  })

  test('a bounce is recognised by its empty envelope sender, and a person by a full one', () => {
    expect(automaticBecause(mail({}, ''), around())).toBe('its return path is empty')
    expect(automaticBecause(mail({}, 'petra@debtor.example'), around())).toBeUndefined()
  })

  test('an email of a person is not automatic, whatever headers their program adds', () => {
    const headers = { 'auto-submitted': 'no', precedence: 'first-class', 'content-type': 'multipart/mixed' }
    expect(automaticBecause(mail(headers), around())).toBeUndefined()
    const ofGroup = { 'list-id': '<team.example>', 'list-post': '<mailto:team@x>', precedence: 'list' }
    const unsubscription = { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }
    expect(automaticBecause(mail({ ...ofGroup, ...unsubscription }), around())).toBeUndefined()
  })

  test('our own returned email, and email from one of our mailboxes, are loops', () => {
    expect(automaticBecause(mail({}), around({ isOurs: true }))).toBe('it is our own email that came back')
    const own = { ...mail({}), sender: 'help@us.example' }
    expect(automaticBecause(own, around())).toBe('it came from a mailbox of ours')
    expect(automaticBecause({ ...mail({}), sender: 'mailer-daemon@x.example' }, around())).toBeTypeOf('string')
  })

  test('an email without a sender that can be read is a person’s', () => {
    expect(automaticBecause({ ...mail({}), sender: undefined }, around())).toBeUndefined()
  })

  test('given more emails than a person writes in an hour, the sender counts as automatic', () => {
    expect(automaticBecause(mail({}), around({ sameInLastHour: SAME_IN_HOUR_MAX - 1 }))).toBeUndefined()
    expect(automaticBecause(mail({}), around({ sameInLastHour: SAME_IN_HOUR_MAX }))).toMatch(/20 times/)
  })
})
