import type { Hints } from "./hints.js";

/** Words in lower case, composed (NFC), words of several parts joined by `_`. */
export type WordLists = {
  /** Acts that are hard to undo; a user who names one asks for more than information. */
  readonly destructive: readonly string[];
  /** Acts that change something, under words that people also use when they only ask. */
  readonly changing: readonly string[];
  /** Acts that only read. */
  readonly reading: readonly string[];
};

/** The built-in words, English and Chinese, together with a project's own; a hint moves a word out of the other list. */
export function wordLists(hints: Hints): WordLists {
  const [moreDestructive, moreReading] = [hints.destructive.map(listed), hints.readonly.map(listed)];
  return {
    destructive: merged(destructive, moreDestructive, moreReading),
    changing: merged(changing, [], [...moreReading, ...moreDestructive]),
    reading: merged(reading, moreReading, moreDestructive),
  };
}

function merged(
  builtIn: readonly string[],
  more: readonly string[],
  others: readonly string[],
): readonly string[] {
  return [...new Set([...builtIn.filter((word) => !others.includes(word)), ...more])];
}

function listed(word: string): string {
  return joined(word.trim());
}

/** A name as the lists spell it: `getRefundStatus` and `get-refund-status` are `get_refund_status`. */
export function joined(name: string): string {
  return name
    .normalize("NFC")
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1_")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1_")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

/** Whether a word is written without spaces around it. */
export function isHan(word: string): boolean {
  return /\p{Script=Han}/u.test(word);
}

/** A pattern for any of some words, the longest first, so that no word hides a longer one. */
export function anyOf(words: readonly string[]): string {
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  return longestFirst
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("_", "[_\\s-]+"))
    .join("|");
}

const destructive = words(`
  refund reimburse chargeback charge debit pay payout transfer withdraw deposit capture cancel delete remove destroy
  erase purge wipe truncate terminate revoke suspend freeze deactivate purchase buy void reverse rollback
  unsubscribe liquidate execute
  退款 退钱 退货 退还 退费 退票 返还 扣款 扣费 扣减 扣除 支付 付款 收款 打款 转账 汇款 提现 充值 取消 删除 移除 清空
  清除 注销 销毁 撤销 撤回 作废 终止 解绑 解约 冻结 解冻 停用 禁用 封禁 查封 下单 购买 赔付 赔偿 补偿 换货`);

const changing = words(`
  update modify change edit write send publish deploy submit ship dispatch issue approve reject close block disable
  reset overwrite drop release
  修改 更新 变更 更改 发送 提交 发货 发放 发布 部署 关闭 重置 调整 写入 覆盖 审批 驳回`);

const reading = words(`
  get read list search query find fetch lookup look_up show view describe check inspect preview track retrieve count
  estimate quote calculate compare verify validate browse peek ping
  查询 查看 查找 查一下 查订单 查物流 查快递 查余额 查账 获取 读取 搜索 检索 列出 浏览 预览 追踪 跟踪 统计 显示 核对
  校验 试算 估算 比较 询价`);

/** Destructive words that also name a thing: a tool `refund_status` or 退款进度 tells of one. */
export const namesOfActs = words(`
  refund chargeback charge payment payout transfer deposit purchase withdrawal cancellation
  退款 退货 退费 退票 扣款 扣费 支付 付款 收款 打款 转账 汇款 提现 充值 订单 赔付 赔偿 补偿 换货 发货`);

/** What is told of a thing; behind the name of an act it makes the whole a reader. */
export const tidings = words(`
  status state history details detail info information policy policies summary progress eligibility
  状态 进度 详情 明细 记录 历史 信息 列表 政策 规则 说明 结果`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
