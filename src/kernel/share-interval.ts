/** 95 %, both sides (normal distribution). */
const Z = 1.96

/**
 * What a counted share may be in truth, with 95 % confidence: Wilson's interval (1927), which also holds for few and
 * for no cases. Of nothing, everything is possible: 0 to 1.
 */
export function shareInterval(cases: number, of: number): { readonly from: number; readonly to: number } {
  if (of === 0) return { from: 0, to: 1 }
  const share = cases / of
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  const [middle, width] = [share + Z ** 2 / (2 * of), 1 + Z ** 2 / of]
  return { from: Math.max(0, (middle - spread) / width), to: Math.min(1, (middle + spread) / width) }
}
