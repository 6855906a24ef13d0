import { describe, expect, test } from 'vitest'
import { aliasesOf, canonicalUrl } from '../../../src/rest/http/canonical-path.ts'

describe('an address', () => {
  test.each([
    ['/rest/svcdialer/calltaskimport', '/svcdialer/calltaskimport'],
    ['/svcdialer/calltaskimport?importAsync=true', '/svcdialer/calltaskimport?importAsync=true'],
    ['/rest/v1/calltasks/7/end', '/v1/calltasks/7/end'],
    ['/itxems/cases/search', '/svcems/cases/search'],
    ['/rest/itxems/cases/search?a=/rest/b', '/svcems/cases/search?a=/rest/b'],
    ['/rest/core/users/', '/core/users'],
    ['/rest', '/'],
    ['/', '/'],
    ['/restful', '/restful'],
    ['/itxemsy/x', '/itxemsy/x'],
    ['/core/itxems', '/core/itxems'],
    ['/core/users//', '/core/users/'],
  ])('%s is served as %s', (given, canonical) => {
    expect(canonicalUrl(given)).toBe(canonical)
  })

  test('with two prefixes stays unknown, also at the second look-up', () => {
    const once = canonicalUrl('/rest/rest/core/users')
    expect(once).toBe('/rest/rest/core/users')
    expect(canonicalUrl(once)).toBe(once)
  })
})

test('an operation has every spelling but its canonical one as an alias', () => {
  expect(aliasesOf('/svcems/cases/search', '/svcems/cases/search')).toEqual([
    '/rest/svcems/cases/search',
    '/itxems/cases/search',
    '/rest/itxems/cases/search',
  ])
  expect(aliasesOf('/core/users', '/rest/core/users')).toEqual(['/core/users'])
})
