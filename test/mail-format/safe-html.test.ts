import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMMENT_TAGS, MAIL_TAGS, safeHtml, textOfHtml } from '../../src/mail-format/safe-html.ts'

describe('foreign HTML (F-J2)', () => {
  test.each([
    ['<p onclick="x()">Hello <b>you</b></p>', '<p>Hello <b>you</b></p>'],
    ['<script>alert(1)</script>after', 'after'],
    ['<style>p{}</style><title>t</title>x', 'x'],
    ['<a href="javascript:alert(1)">click</a>', '<a>click</a>'],
    ['<a href=" java\tscript:alert(1)">click</a>', '<a>click</a>'],
    ['<a href="&#106;avascript:alert(1)">click</a>', '<a>click</a>'],
    ['<a href="//evil.example">x</a>', '<a>x</a>'],
    [
      '<a href="https://ok.example/?a=1&b=2" target=_blank>x</a>',
      '<a href="https://ok.example/?a=1&amp;b=2" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<img src="https://spy.example/pixel.gif" onerror=x()>', ''],
    ['<img src="data:text/html,x">', ''],
    ['<img src="cid:logo@x" alt=\'"><script>\'>', '<img src="cid:logo@x" alt="&quot;&gt;&lt;script&gt;">'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', ''],
    ['<iframe src=x></iframe><object data=x>y</object>z', 'z'],
    ['<b><i>wrong</b> order</i>', '<b><i>wrong</i></b> order'],
    ['<p>not closed', '<p>not closed</p>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['<!-- <b>no</b> --><![CDATA[x]]>y', 'y'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    ['<td colspan=2 style="x">a</td>', '<td colspan="2">a</td>'],
    ['<form action=x><input name=a>text</form>', 'text'],
    ['<base href=//evil><link rel=x><meta http-equiv=refresh>t', 't'],
  ])('%s becomes %s', (given, safe) => {
    expect(safeHtml(given, COMMENT_TAGS)).toBe(safe)
  })

  test('an email keeps the paragraphs of mail programs, a comment does not', () => {
    const html = '<div><h1>a</h1><span style="x">b</span></div>'
    expect(safeHtml(html, MAIL_TAGS)).toBe('<div><h1>a</h1><span>b</span></div>')
    expect(safeHtml(html, COMMENT_TAGS)).toBe('ab')
  })

  test('any input yields only the listed tags and attributes, and cleaning twice changes nothing', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '"', "'", '/', '=', '</', '<!--', '-->', '&lt;', '&#x3c;', '\u0000', '`', ' on'),
      fc.constantFrom(
        '<script>',
        '</script>',
        '<svg>',
        '<style>',
        '<p ',
        '<a href=',
        '<img src=',
        'cid:x',
        '<b>',
        '</b>',
      ),
      fc.constantFrom(
        'javascript:',
        'onerror=',
        '<textarea>',
        '<title>',
        '</title>',
        '<math>',
        '<td colspan=',
        '<![CDATA[',
      ),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const safe = safeHtml(pieces.join(''), MAIL_TAGS)
        for (const [, slash, name, attributes] of safe.matchAll(/<(\/?)([^\s<>]*)([^<>]*)>/g)) {
          expect(MAIL_TAGS.has(name ?? '')).toBe(true)
          const known = /^( (href|src|alt|width|height|colspan|rowspan|rel)="[^"<>]*")*$/
          expect(slash === '/' ? '' : attributes).toMatch(known)
        }
        expect(safe).not.toMatch(/(href|src)="(?!https?:|mailto:|cid:)/i)
        expect(safeHtml(safe, MAIL_TAGS)).toBe(safe)
      }),
      { numRuns: 500 },
    )
  })

  test('given 100,000 nested tags, the result is immediate and flat', () => {
    const deep = safeHtml('<div>'.repeat(100_000), MAIL_TAGS)
    expect(deep.match(/<div>/g)?.length).toBe(60)
  })
})

test('the visible text of it is its text', () => {
  const html =
    '<head><title>t</title></head><p>Dear&nbsp;Sir,</p><p>I   owe\n<b>12</b> &euro;</p><script>x</script><br>P.'
  expect(textOfHtml(html)).toBe('Dear Sir,\n\nI owe 12 €\n\nP.')
})
