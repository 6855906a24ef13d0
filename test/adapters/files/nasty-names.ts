/** File names as attackers and broken clients write them (F-J7, F-I12): none may become a path. */

const TARGETS = ['secret', 'etc/passwd', 'etc/shadow', 'windows/win.ini', 'boot.ini', '.env', 'proc/self/environ', '']

/** Ways to say "up": plain, Windows, encoded once and twice, overlong UTF-8, dotted and doubled forms, look-alikes. */
const UPS = [
  ...['../', '..\\', '..//', '..\\\\', './../', '.\\..\\', '....//', '....\\\\', '..;/', '..../', '.../'],
  ...['%2e%2e/', '%2e%2e%2f', '..%2f', '..%5c', '%2e%2e%5c', '%2E%2E%2F', '.%2e/', '%2e./'],
  ...['%252e%252e%252f', '..%252f', '..%255c', '%25252e%25252e%25252f'],
  ...['..%c0%af', '%c0%ae%c0%ae/', '%c0%ae%c0%ae%c0%af', '..%c1%9c', '..%e0%80%af', '%e0%80%ae%e0%80%ae/'],
  ...['..%f0%80%80%af', '..%u2215', '..%u2216', '%uff0e%uff0e%uff0f', '..\u2215', '..\u2216', '\uff0e\uff0e\uff0f'],
  ...['..\u0000/', '..%00/', '..\t/', '..\r\n/', ' ../', '.. /', '..\u200b/', '\u202e/..'],
]

const ROOTS = [
  ...['/', '//', '///', '\\', '\\\\', 'C:\\', 'C:/', 'c:', '\\\\?\\C:\\', '\\\\.\\', '//server/share/', '~/', '~root/'],
  ...['file:///', 'file://localhost/', '/dev/fd/', '/proc/self/root/', '/./', 'a/../../', 'a\\..\\..\\'],
]

const DEVICES = ['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'LPT1', 'con.txt', 'nul.png', 'CLOCK$', 'aux.h']

const SHAPES = [
  ...['', '.', '..', '...', ' ', '. ', '.. ', '\u0000', 'a\u0000.png', 'a.png\u0000.exe', 'a.png%00.exe', 'a.png;.exe'],
  ...[
    'a.',
    'a ',
    'a.txt:stream',
    'a.txt::$DATA',
    '-rf',
    '--help',
    '*',
    '?',
    'a*',
    '$(id)',
    '`id`',
    '|id',
    ';id',
    '&id',
  ],
  ...['\r\nset-cookie: a=b', 'a"; filename="b', "a'; filename*=UTF-8''b", 'a\nb', '\ud800', '\udfff', '\u202egnp.exe'],
  ...['x'.repeat(255), 'x'.repeat(4_096), '../'.repeat(1_000), 'é'.repeat(300), '<script>.png', '.htaccess', '.part'],
]

const DEPTHS = [1, 2, 6]

/** All of them. */
export const NASTY_NAMES: readonly string[] = [
  ...UPS.flatMap((up) => DEPTHS.flatMap((depth) => TARGETS.slice(0, 4).map((target) => up.repeat(depth) + target))),
  ...ROOTS.flatMap((root) => TARGETS.map((target) => root + target)),
  ...DEVICES,
  ...SHAPES,
]
