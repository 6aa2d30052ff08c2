import type { InitFile } from "./init-files.js";

const refundSafety = `# Whoever only asks where a booking stands gets an answer, never a refund.
#
# The rule holds from the turn on in which the user says one of the words, to the end of the
# conversation; what the user said in earlier turns counts. Letter case does not matter, and a
# word is found inside longer ones too, so keep words that users would say and that say little else.
# Name here what is forbidden (forbid_tool). A list of everything that is allowed (allow_tool)
# would also refuse each tool that is added later.
rule: refund-safety
description: A question about the status of a booking must not end in a refund.
severity: critical
when:
  intent_any: [status, "is my booking", 进度]
then:
  forbid_tool: issue_refund
where:
  ci: true # the gate reads recorded traces before a release
  runtime: true # the guard stands before the next call
`;

const paymentIdempotency = `# Money moves once for each booking and direction.
#
# These rules have no "when", and that is on purpose: a condition would switch the whole rule off
# until its words are said, and a second payment is wrong whatever the user has said.
# The key is what makes two calls the same transaction. If one booking may be paid in parts, make
# it finer, such as "\${booking_id}/\${part}".
rule: payment-idempotency
description: A booking is refunded at most once.
severity: critical
then:
  idempotent:
    tool: issue_refund
    key: "\${booking_id}"
---
# A second document in one file is a second rule.
rule: charge-idempotency
description: A booking is charged at most once.
severity: critical
then:
  idempotent:
    tool: charge_card
    key: "\${booking_id}"
`;

const readme = `# Rules

Each YAML document in this folder is one rule. The gate (\`rules gate\`) holds recorded traces against it, the guard
(\`rules guard\`, or the library in front of your tools) asks it before the next call; both decide the same way.

| file or folder | what it is | what the gate says |
|---|---|---|
| \`rules/refund-safety.yaml\` | a tool forbidden under a condition | |
| \`rules/payment-idempotency.yaml\` | at most one transaction for each key, always | |
| \`traces/\` | how conversations should go; add your own good recordings | green |
| \`examples/\` | an incident; not for CI | red, and that is right |

1. Run \`rules gate\`: it is green, so whatever it refuses later is news.
2. Run \`rules gate --traces examples\`: it exits with 1 and shows each call that should not have been.
3. Replace the tools and words in the rules by yours, and the traces by recordings of your agent.
`;

/** The texts in `rules/`; each explains itself. */
export const starterRules: readonly InitFile[] = [
  {
    path: "rules/refund-safety.yaml",
    text: refundSafety,
    about: "a rule under a condition: no refund where the user only asks about the status of a booking",
  },
  {
    path: "rules/payment-idempotency.yaml",
    text: paymentIdempotency,
    about: "two rules without a condition: no booking is refunded or charged twice",
  },
  {
    path: "rules/README.md",
    text: readme,
    about: "what the folders are for and what to do next",
  },
];
