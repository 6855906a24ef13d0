/** The languages of Whisper, which services of its protocol name; by ISO 639. */
const CODES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml ' +
  'cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am ' +
  'yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue'

/** Names in Whisper that differ from the usual English ones. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'haitian creole': 'ht', nynorsk: 'nn', tagalog: 'tl', jw: 'jv' }

/** English name to code: verbose answers say `danish` where others say `da`. */
let names: ReadonlyMap<string, string> | undefined

/** The BCP 47 code of a service's language name; null if unknown. */
export function languageCode(said: unknown): string | null {
  if (typeof said !== 'string') return null
  const name = said.trim().toLowerCase()
  names ??= allNames()
  const known = names.get(name)
  if (known !== undefined) return known
  if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,2}$/.test(name)) return null
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
}

function allNames(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'language' })
  const usual = CODES.split(' ').map((code) => [(english.of(code) ?? code).toLowerCase(), code] as const)
  return new Map([...usual, ...Object.entries(OTHER_NAMES)])
}
