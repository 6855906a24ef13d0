import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  caseNumbersIn,
  type KnownCase,
  type KnownThreads,
  type ThreadedMail,
  threadOf,
  withCaseNumber,
} from '../../src/cases/mail-threading.ts'
import type { ActivityId } from '../../src/kernel/ids.ts'
import { plainAddress } from '../../src/mail-format/mail-address.ts'
import { readMessageId, readMessageIds } from '../../src/mail-format/message-id.ts'

const id = (value: number) => value as ActivityId
const PETRA = 'petra@debtor.example'
const mail = (change: Partial<ThreadedMail> = {}): ThreadedMail => {
  const plain = { messageId: 'new@them', sender: PETRA, isInOurName: false, subject: 'My invoice' }
  return { ...plain, inReplyTo: [], references: [], ...change }
}
const knownCase = (change: Partial<KnownCase> = {}): KnownCase => {
  return { case: id(500), conversation: id(71), participants: new Set([PETRA]), ...change }
}
const known = (change: Partial<KnownThreads> = {}): KnownThreads => {
  const conversations = new Map([
    ['first@us', id(70)],
    ['second@us', id(71)],
  ])
  return { conversations, cases: new Map([[12, knownCase()]]), ...change }
}

describe('threads', () => {
  test('an email belongs to the conversation of the email that it answers', () => {
    expect(threadOf(mail({ inReplyTo: ['first@us'] }), known())).toMatchObject({ conversation: 70 })
  })

  test('given only References, the newest known one decides', () => {
    const references = ['first@us', 'second@us', 'elsewhere@them']
    expect(threadOf(mail({ references }), known())).toMatchObject({
      conversation: 71,
      why: 'it is of the thread of <second@us>',
    })
  })

  test('given that the answer arrived first, an email joins its conversation', () => {
    expect(threadOf(mail({ messageId: 'second@us' }), known())).toMatchObject({ conversation: 71 })
  })

  test('the answered email takes precedence over the case number in the subject', () => {
    const both = mail({ inReplyTo: ['first@us'], subject: 'Re: [#12] My invoice' })
    expect(threadOf(both, known())).toMatchObject({ kind: 'conversation', conversation: 70 })
  })

  test('given a case number, an email of a participant joins the case, and that of a stranger does not', () => {
    const subject = 'A question [#12]'
    expect(threadOf(mail({ subject }), known())).toMatchObject({ kind: 'conversation', conversation: 71 })
    for (const sender of ['mallory@elsewhere.example', undefined]) {
      const thread = threadOf(mail({ subject, sender }), known())
      expect(thread).toEqual({ kind: 'new', why: 'its subject names case 12, of which its sender is not' })
    }
  })

  test('given a case without a conversation of theirs, a member starts one in it', () => {
    const cases = new Map([[12, knownCase({ conversation: undefined })]])
    expect(threadOf(mail({ subject: '[#12]' }), known({ cases }))).toMatchObject({ kind: 'case', case: 500 })
  })

  test('given an unknown case number, or none, an email starts a conversation', () => {
    expect(threadOf(mail({ subject: '[#99] hello' }), known()).kind).toBe('new')
    expect(threadOf(mail({ inReplyTo: ['unknown@them'] }), known())).toMatchObject({
      why: 'it answers nothing that is here',
    })
    expect(threadOf(mail(), known())).toMatchObject({ kind: 'new', why: 'it begins something new' })
  })

  test('a sender who neither knows a Message-ID of a case nor takes part in it cannot join it', () => {
    const words = fc.constantFrom('[#12]', '[#013]', 'Re:', '#12', '[ #12 ]', 'case 12', '[#12', '[#7]')
    const subjects = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' '))
    const ids = fc.array(fc.constantFrom('x@them', 'first@u', 'FIRST@US', '<first@us>', ''), { maxLength: 5 })
    fc.assert(
      fc.property(subjects, ids, fc.emailAddress(), (subject, references, sender) => {
        const inReplyTo = references.slice(0, 1)
        return threadOf(mail({ sender: `x${sender}`, subject, inReplyTo, references }), known()).kind === 'new'
      }),
    )
  })
})

describe('case numbers in subjects', () => {
  test('an inserted number is found again, and stands once', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 10 ** 9 }), (subject, number) => {
        const marked = withCaseNumber(subject, number)
        const again = withCaseNumber(`Re: ${marked}`, number)
        return caseNumbersIn(marked).includes(number) && again === `Re: ${marked}`
      }),
      // A subject with so many numbers before ours was not written by us.
      { examples: [['Re: [#1] [#22]', 22]] },
    )
  })

  test('five numbers are read at most, and lookalikes do not count', () => {
    expect(caseNumbersIn('[#1] [#2][#3] [#4] [#5] [#6]')).toEqual([1, 2, 3, 4, 5])
    expect(caseNumbersIn('#1 [1] [#0] [#01] [#-1] [#1.5] [#9999999999999999]')).toEqual([])
  })
})

describe('Message-IDs and addresses', () => {
  test('ids are read from the headers of real programs, and junk is dropped', () => {
    expect(readMessageIds('<a@x>\r\n\t<b@y> <a@x>')).toEqual(['a@x', 'b@y'])
    expect(readMessageId(' <a@x> (a comment)')).toBe('a@x')
    expect(readMessageId('a@x')).toBe('a@x')
    expect(readMessageIds(`your message of Tuesday <${'x'.repeat(600)}@y>`)).toEqual([])
    expect(readMessageId(undefined)).toBeUndefined()
  })

  test('of a long thread the first id and the newest ones are kept', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}@x`)
    const read = readMessageIds(ids.map((one) => `<${one}>`).join(' '))
    expect(read).toHaveLength(100)
    expect([read[0], read.at(-1)]).toEqual(['0@x', '4999@x'])
  })

  test('an address has one spelling, and an invalid one is refused', () => {
    expect(plainAddress(' Petra@Debtor.Example ')).toBe(PETRA)
    for (const bad of ['', 'petra', 'a@b@c', 'a b@c', '"x"@y', 'a@b\r\nBcc: c@d', `${'x'.repeat(330)}@y`]) {
      expect(plainAddress(bad)).toBeUndefined()
    }
  })
})
