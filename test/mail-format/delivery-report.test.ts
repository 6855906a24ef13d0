import { describe, expect, test } from 'vitest'
import { undeliveredIn } from '../../src/mail-format/delivery-report.ts'

const group = (...lines: readonly string[]) => `Reporting-MTA: dns; mx.example\r\n\r\n${lines.join('\r\n')}\r\n`

describe('the failed recipients in the report of a server', () => {
  test('are named with the reason, unfolded', () => {
    const text = group(
      ...['Final-Recipient: rfc822; Petra@Debtor.example', 'Action: failed', 'Status: 5.1.1'],
      ...['Diagnostic-Code: smtp; 550 5.1.1', ' no such', '\tuser', 'Status: 9.9.9'],
    )
    const why = '5.1.1 550 5.1.1 no such user'
    expect(undeliveredIn(text)).toEqual([{ addresses: ['petra@debtor.example'], why }])
    expect(undeliveredIn(`Sorry, it did not arrive.\n${text.replaceAll('\r', '')}`)).toHaveLength(1)
  })

  test('are named twice after a redirect, and each of many', () => {
    const text = [
      group(
        'Original-Recipient: rfc822;petra@debtor.example',
        'Final-Recipient: rfc822;box7@host.example',
        'ACTION:FAILED',
      ),
      'Final-Recipient: <ben@debtor.example>\nAction: failed',
      'Final-Recipient: utf-8; jürgen@debtor.example\nAction: Failed\nStatus: 5.2.2 (full)',
    ]
    expect(undeliveredIn(text.join('\n\n'))).toEqual([
      { addresses: ['petra@debtor.example', 'box7@host.example'], why: 'no reason was given' },
      { addresses: ['ben@debtor.example'], why: 'no reason was given' },
      { addresses: ['jürgen@debtor.example'], why: '5.2.2 (full)' },
    ])
  })

  test.each(['delayed', 'delivered', 'relayed', 'expanded', 'failed-not', ''])('are none given %j', (action) => {
    expect(undeliveredIn(group('Final-Recipient: rfc822; petra@debtor.example', `Action: ${action}`))).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['words', 'Dear Sir,\n\nthe last Action: failed. Final-Recipient: petra@debtor.example'],
    ['no address', group('Final-Recipient: rfc822; nobody at all', 'Action: failed')],
    ['another kind of address', group('Final-Recipient: x400; /C=DK/S=P', 'Action: failed')],
    ['no recipient', group('Action: failed', 'Status: 5.0.0')],
    ['an action of another group', group('Final-Recipient: rfc822; a@b.example', '', 'Action: failed')],
    ['a megabyte of colons', ':\n'.repeat(500_000)],
  ])('are none given %s', (_, text) => {
    expect(undeliveredIn(text)).toEqual([])
  })

  test('a reason has a maximum length, and so has the list', () => {
    const one = 'Final-Recipient: rfc822; a@b.example\nAction: failed\nDiagnostic-Code: smtp; '
    expect(undeliveredIn(one + 'x'.repeat(10_000))[0]?.why).toHaveLength(300)
    expect(undeliveredIn(`${one}\n\n`.repeat(10_000)).length).toBeLessThanOrEqual(500)
  })
})
