/** What a text holds that must not leave with it. */
export type Detected = "secret" | "personal";

/** Finds secrets and personal data in a text; a team brings its own. */
export type Detector = (text: string) => readonly Detected[];

const secrets = [/authorization\s*:/i, /api_key\s*=/i, /-----BEGIN [A-Z ]*PRIVATE KEY-----/];
const personal = [/[^\s@]+@[^\s@]+\.[a-z]{2,}/i, /\+\d[\d ()-]{7,}\d/];

/** Knows the marks of credentials that the guardrail article names, private keys, addresses of mail and phone numbers. */
export const defaultDetector: Detector = (text) => [
  ...(secrets.some((mark) => mark.test(text)) ? ["secret" as const] : []),
  ...(personal.some((mark) => mark.test(text)) ? ["personal" as const] : []),
];
