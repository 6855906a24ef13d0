/** Segments that the contract itself spells in two ways (contract.md §4.5). */
const SPELLINGS: Readonly<Record<string, string>> = { itxems: 'svcems' }

/** As registered (D-01): spelling mended, one leading `/rest` and one final slash gone; `/rest/rest/…` is unknown. */
export function canonicalUrl(url: string): string {
  const query = url.indexOf('?')
  const [path, rest] = query < 0 ? [url, ''] : [url.slice(0, query), url.slice(query)]
  return canonicalPath(path) + rest
}

/** The same for a path without its query. */
export function canonicalPath(path: string): string {
  const isPrefixed = path === '/rest' || path.startsWith('/rest/')
  const inner = isPrefixed ? path.slice('/rest'.length) || '/' : path
  // A second prefix must not become a first one when the path is looked at again.
  if (isPrefixed && (inner === '/rest' || inner.startsWith('/rest/'))) return path
  const [, first = ''] = inner.split('/', 2)
  const spelled = Object.hasOwn(SPELLINGS, first) ? `/${SPELLINGS[first]}${inner.slice(first.length + 1)}` : inner
  return spelled.length > 1 && spelled.endsWith('/') ? spelled.slice(0, -1) : spelled
}

/** Every path under which an operation answers besides the one the contract shows. */
export function aliasesOf(path: string, shown: string): string[] {
  const bare = Object.entries(SPELLINGS)
    .filter(([, canonical]) => path.startsWith(`/${canonical}/`))
    .map(([other, canonical]) => `/${other}${path.slice(canonical.length + 1)}`)
  const all = [path, ...bare].flatMap((spelling) => [spelling, `/rest${spelling}`])
  return all.filter((spelling) => spelling !== shown)
}
