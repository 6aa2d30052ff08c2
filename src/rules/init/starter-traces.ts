import type { InitFile } from "./init-files.js";

/** Two conversations without results of tools; in the second the refund was asked for. */
const baseline = [
  {
    turns: [
      {
        user: "What is the status of booking B-204?",
        tool_calls: [{ name: "get_booking", arguments: { booking_id: "B-204" } }],
        assistant: "It is confirmed for the 14th.",
      },
      { user: "Good, thank you.", assistant: "You are welcome." },
    ],
  },
  {
    turns: [
      {
        user: "Please pay for booking B-311 with my saved card.",
        tool_calls: [
          { name: "get_booking", arguments: { booking_id: "B-311" } },
          { name: "charge_card", arguments: { booking_id: "B-311", amount: 120 } },
        ],
        assistant: "B-311 is paid.",
      },
      {
        user: "My plans have changed. Please refund B-311.",
        tool_calls: [{ name: "issue_refund", arguments: { booking_id: "B-311", amount: 120 } }],
        assistant: "The 120 are on their way back to your card.",
      },
    ],
  },
];

/** As Chat Completions messages, with results: a question is answered by two refunds. */
const incident = {
  messages: [
    { role: "system", content: "You are the desk of a small hotel." },
    { role: "user", content: "What is the status of my booking B-204?" },
    called("call_1", "get_booking", { booking_id: "B-204" }),
    { role: "tool", tool_call_id: "call_1", content: '{"state":"confirmed","paid":95}' },
    called("call_2", "issue_refund", { booking_id: "B-204", amount: 95 }),
    { role: "tool", tool_call_id: "call_2", content: '{"refunded":95}' },
    { role: "assistant", content: "I have refunded B-204." },
    { role: "user", content: "But I still want to come!" },
    called("call_3", "issue_refund", { booking_id: "B-204", amount: 95 }),
    { role: "tool", tool_call_id: "call_3", content: '{"refunded":95}' },
    { role: "assistant", content: "Done, you have your money back." },
  ],
};

function called(id: string, name: string, given: Readonly<Record<string, string | number>>) {
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(given) } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

/** The recordings; JSON has no comments, so that `about` and the README explain them. */
export const starterTraces: readonly InitFile[] = [
  {
    path: "traces/baseline-clean.json",
    text: `${JSON.stringify(baseline, undefined, 2)}\n`,
    about: "a clean baseline: every rule holds on it, so the gate is green",
  },
  {
    path: "examples/refund-incident.json",
    text: `${JSON.stringify(incident, undefined, 2)}\n`,
    about:
      "an incident: a refund nobody asked for, and then the same refund again; the gate must be red on it",
  },
];
