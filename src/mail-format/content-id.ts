/** In one form wherever it stands; undefined where it is none. HTML may encode it (RFC 2392 section 2). */
export function plainContentId(given: string): string | undefined {
  const id = decoded(given.trim())
  return /^[^\s<>"']{1,500}$/.test(id) ? id : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
