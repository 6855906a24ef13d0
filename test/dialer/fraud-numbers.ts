/** Numbers that thieves have others call, because somebody earns by each minute (F-J9), as thieves write them. */

/** Nothing but digits of different kinds: the same ones each time. */
const tail = (seed: number, digits: number) => String(10 ** digits + ((seed * 7_919 + 12_345) % 10 ** digits)).slice(1)

/** Prefix and how many digits follow, in E.164. What no country may be allowed for. */
const NEVER: readonly (readonly [prefix: string, digits: readonly number[]])[] = [
  // Satellites, ships, networks of no country, international premium and shared cost, free phone of no country.
  ...['+8701', '+8703', '+8707', '+87810', '+8816', '+8817', '+8818', '+8819'].map(
    (each) => [each, [7, 8, 9]] as const,
  ),
  ...['+88210', '+88213', '+88216', '+88231', '+88232', '+88234', '+88237', '+88298'].map(
    (each) => [each, [5, 7, 8]] as const,
  ),
  ...['+883100', '+883120', '+883130', '+8835100', '+883140', '+888', '+9791', '+9793', '+9795', '+9799'].map(
    (each) => [each, [6, 8]] as const,
  ),
  ...['+800', '+808'].map((each) => [each, [8]] as const),
  // Premium rate, shared cost and personal numbers of countries.
  ...['+4590'].map((each) => [each, [6]] as const),
  ...[
    '+44904',
    '+44905',
    '+44906',
    '+44907',
    '+44908',
    '+44909',
    '+44911',
    '+44912',
    '+44913',
    '+44982',
    '+44983',
    '+44984',
  ].map((each) => [each, [7]] as const),
  ...['+44870', '+44871', '+44872', '+44873', '+44843', '+44844', '+44845', '+4470', '+4476'].map(
    (each) => [each, [7, 8]] as const,
  ),
  ...['+49900', '+491371', '+49180', '+49118', '+49700', '+49137'].map((each) => [each, [6, 7]] as const),
  ...['+33890', '+33891', '+33892', '+33897', '+33899', '+33810', '+33820'].map((each) => [each, [6]] as const),
  ...['+34803', '+34806', '+34807', '+34905', '+34907', '+34901', '+34902', '+3470'].map(
    (each) => [each, [6, 7]] as const,
  ),
  ...['+39899', '+39892', '+39894', '+39895', '+39840', '+39848', '+39178', '+39144', '+39166'].map(
    (each) => [each, [6]] as const,
  ),
  ...['+31900', '+31906', '+31909', '+3284'].map((each) => [each, [4, 7]] as const),
  ...['+32902', '+32903', '+32904', '+32905', '+32906', '+32907', '+32909'].map((each) => [each, [5]] as const),
  ...['+41900', '+41901', '+41906', '+41840', '+41842', '+41878'].map((each) => [each, [6]] as const),
  ...['+43900', '+43930', '+43931', '+43939', '+43810', '+43820'].map((each) => [each, [6]] as const),
  ...['+46900', '+46939', '+46944', '+4677'].map((each) => [each, [6, 7]] as const),
  ...['+47820', '+47829', '+47810', '+47815'].map((each) => [each, [5]] as const),
  ...['+358600', '+358700'].map((each) => [each, [5, 6]] as const),
  ...['+48700', '+48701', '+48703', '+48708', '+48801'].map((each) => [each, [6]] as const),
  ...['+420900', '+420906', '+420909', '+420976'].map((each) => [each, [6]] as const),
  ...['+3690', '+3691'].map((each) => [each, [6]] as const),
  ...['+40900', '+40903', '+40906'].map((each) => [each, [6]] as const),
  ...['+351760', '+351761', '+351762', '+351601', '+351808'].map((each) => [each, [6]] as const),
  ...['+3531520', '+3531530', '+3531550', '+3531560', '+3531570', '+3531590', '+353700', '+353818'].map(
    (each) => [each, [6]] as const,
  ),
  ...['+370900', '+37190', '+372900', '+38190', '+38590', '+38690', '+42190'].map((each) => [each, [5, 6, 4]] as const),
  ...['+1900', '+1500', '+1700', '+1710'].map((each) => [each, [7]] as const),
  ...['+61190', '+611900', '+611902', '+64900', '+81990', '+55900', '+7803', '+7809'].map(
    (each) => [each, [6, 7]] as const,
  ),
]

/** Countries with dear or resold ranges: dialed only where a campaign names them. */
const FOREIGN = (
  '+53 +252 +960 +232 +371 +370 +220 +224 +245 +263 +216 +387 +355 +670 +674 +686 +688 +247 +290 +500 +269 +235 ' +
  '+236 +239 +243 +257 +261 +231 +248 +675 +677 +678 +679 +682 +683 +685 +690 +691 +692 +268 +266 +681 +509 ' +
  '+592 +597 +1242 +1246 +1264 +1268 +1284 +1340 +1345 +1441 +1473 +1649 +1658 +1664 +1670 +1684 +1721 +1758 ' +
  '+1767 +1784 +1787 +1809 +1829 +1849 +1868 +1869 +1876 +1939 +7 +998 +992 +994 +995 +93 +964 +967 +963 +850 ' +
  '+44 +49 +33 +46 +47 +1'
).split(' ')

/** Emergency, information, carriers' own and other short numbers, in all countries the same kinds. */
const SHORT = (
  '110 111 112 113 114 115 116 117 118 119 116000 116123 118118 118712 1881 100 101 102 108 122 133 144 155 199 911 ' +
  '933 988 999 000 0 00 000000 1 10 1414 1800 1900 5555 72404 90 900 9999 3456 80808'
).split(' ')

/** No country may be allowed for these, in E.164. */
export function neverDialed(): string[] {
  const special = NEVER.flatMap(([prefix, lengths]) =>
    lengths.flatMap((digits, place) => [1, 2].map((seed) => prefix + tail(seed + place * 31 + prefix.length, digits))),
  )
  const short = SHORT.flatMap((digits) => ['', '+', '+45', '+44', '+1', '+49'].map((code) => code + digits))
  return [...new Set([...special, ...short])]
}

/** Of other countries, in E.164; whether they are in use does not matter. */
export function foreignNumbers(): string[] {
  const numbers = FOREIGN.flatMap((code, place) =>
    [6, 7, 8, 9, 10]
      .filter((digits) => code.length + digits < 16)
      .map((digits) => code + tail(place + digits * 13, digits)),
  )
  return [...new Set(numbers)]
}

const digitsFrom = (zero: number) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

/** Ways to write a number, so that who checks it reads another one than who dials it. */
export const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => number.replace('+', '00'),
  (number) => number.replace('+', '＋'),
  (number) => number.replace('+', '+ '),
  (number) => number.replace('+', '++'),
  (number) => number.replace('+', '+0'),
  (number) => number.replace('+', '+45'),
  (number) => number.replace('+', '0045'),
  (number) => number.replace('+', ''),
  (number) => number.replaceAll(/(\d{2})/g, '$1 '),
  (number) => number.replaceAll(/(\d{3})/g, '$1-'),
  (number) => number.replaceAll(/(\d{2})/g, '$1\u200b'),
  (number) => number.replaceAll(/(\d{2})/g, '$1\u00ad'),
  (number) => `\u202e${number}\u202c`,
  (number) => `\u2066${number}\u2069`,
  (number) => `\ufeff${number}\u2060`,
  (number) => `(${number})`,
  (number) => `tel:${number}`,
  (number) => `sip:${number}@carrier.example`,
  (number) => `${number};ext=1`,
  (number) => `${number},,1#`,
  (number) => `${number}&PJSIP/4551234567`,
  (number) => `4551234567&PJSIP/${number}@trunk`,
  (number) => `+4551234567\n${number}`,
  (number) => `${number}\u0000`,
  (number) => `*31*${number}`,
  (number) => `${number}x`,
  digitsFrom(0xff10),
  digitsFrom(0x0660),
  digitsFrom(0x06f0),
  digitsFrom(0x0966),
  digitsFrom(0x1d7ce),
  digitsFrom(0x1d7f6),
  (number) => number.replaceAll('1', '¹').replaceAll('2', '②'),
  (number) => number.replaceAll('0', 'O').replaceAll('1', 'l'),
]
