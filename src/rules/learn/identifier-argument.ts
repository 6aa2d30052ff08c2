import type { Json } from "../../model/vocabulary.js";
import { joined } from "./word-lists.js";

/** What an argument tells apart, the best key of a transaction first. */
export const identifierKinds = ["transaction", "identifier", "value", "owner"] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

/** How an argument serves as a key, or undefined where it does not; a key is made of text and numbers alone. */
export function identifierArgument(name: string, value: Json): IdentifierKind | undefined {
  // What a key template cannot spell.
  if (name.trim() !== name || name === "" || /[${}]/.test(name)) {
    return undefined;
  }
  const isKeyed = (typeof value === "string" && value.trim() !== "") || typeof value === "number";
  if (!isKeyed) {
    return undefined;
  }
  const plain = joined(name);
  if (ownerName.test(plain)) {
    return "owner";
  }
  if (!measureName.test(plain) && idName.test(plain)) {
    return transactionName.test(plain) ? "transaction" : "identifier";
  }
  return typeof value === "string" && idValue.test(value) && !dateValue.test(value) ? "value" : undefined;
}

/** Whether an argument names the attempt and not the transaction; a retry may well bring a new one. */
export function namesAttempt(name: string): boolean {
  return /(?:^|_)(?:request|idempotency|trace|span|nonce|attempt|call)(?:_|$)|请求|幂等|追踪/u.test(
    joined(name),
  );
}

const idName =
  /(?:^|_)(?:ids?|uuid|guid|no|num|number|ref|reference|key|code)$|^(?:order|payment|txn|transaction|invoice|booking|refund|charge|ticket|item)(?:id|no|ref)$|[号码]$|编码$|流水|标识|id$/u;
const transactionName =
  /order|payment|transaction|txn|invoice|booking|reservation|refund|charge|transfer|trade|request|idempotency|订单|单号|交易|支付|付款|退款|流水|发票|预订|预约|请求|幂等/u;
const ownerName =
  /(?:^|_)(?:user|customer|client|member|account|tenant|session|conversation|chat|channel|agent|person|owner|phone|mobile|card)(?:_|$|id|no)|用户|客户|会员|账号|账户|帐号|手机|电话|卡号|租户|身份证|会话/u;
/** Numbers that count or describe. */
const measureName =
  /(?:^|_)(?:page|version|model|line|step|zip|post|postal|currency|country|language|error|status|reason|promo|max|min|total)_(?:no|num|number|code)$|页号|页码|版本号|型号|邮编|号型|验证码|优惠码/u;

/** Letters and digits mixed, as in `A-1001`. */
const idValue = /^(?=.*\d)(?=.*\p{L})[\p{L}\p{N}_-]{4,64}$/u;
const dateValue = /^\d{4}-?\d{2}-?\d{2}|^\d{1,2}[ap]m$/i;
