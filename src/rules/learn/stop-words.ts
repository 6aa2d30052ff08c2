/** Words that stand in every conversation and tell none apart. */
export const stopWords: ReadonlySet<string> = new Set(
  `
  a about after all already am an and any are as at back be because been before being but by can cannot could dear did do
  does doing done don't else for from get give go going good got had has have hello help her here hey hi him his how i
  i'd i'll i'm i've if in into is isn't it it's its just know let like little long look looking lot many may maybe me
  might more most much must my need never new no not now of off ok okay on once one only or other our out over please
  right said same say see seem shall she should show since so some something soon still such sure take tell than thank
  thanks that that's the their them then there these they thing things think this those though time to today tomorrow too
  try two until up us very want was we well went were what what's when where where's which while who why will wish with
  would yes yesterday yet you your yours
  check find view list track news info information detail details
  我 我们 我的 你 你们 你的 您 您的 他 她 它 他们 咱 咱们 自己 大家 这 那 这个 那个 这些 那些 这里 那里 这儿 那儿 这样 那样 哪 哪个
  哪里 哪儿 哪些 什么 啥 怎么 怎么样 怎样 如何 为什么 为啥 多少 几 几个 多久 谁 吗 呢 吧 啊 呀 哦 嗯 嘛 哈 啦 喂 的 了 着 过 得 地 是 不是
  就是 也是 还是 在 有 没 没有 不 不要 不用 没到 还没 还 也 都 就 又 再 才 只 很 太 更 最 好 好的 对 对的 行 可以 可 能 能不能 可不可以 会
  要 想 想要 需要 请 请问 麻烦 谢谢 多谢 你好 您好 帮 帮我 帮忙 给 给我 让 把 被 和 跟 与 及 或 或者 但 但是 不过 因为 所以 如果 然后
  那么 从 到 去 来 上 下 里 外 前 后 中 个 件 条 单 笔 次 位 种 点 些 一 一下 一个 一些 一点 一直 两 三 看 看看 看下 看一下 看一看 查 查下
  查查 查询 查看 查找 问 问下 问一下 说 说说 告诉 知道 了解 找 找到 收到 今天 明天 昨天 前天 刚才 刚刚 现在 最近 上周 下周 上次 下次
  上个月 本周 这周 周 月 年 天 号 日 时候 什么时候 啥时候 已经 应该 可能 觉得 感觉 东西 事 事情 问题 情况 信息 算了 等 等等 那单 这单 怎么办
  为 向 于 以 之 其 并 而 且 则 若 别 快 慢 大 小 多 少 用 做 搞 弄 搞定 处理 一样 一起 还有 另外 其实 真的 到底 究竟 大概 左右
  `
    .trim()
    .split(/\s+/),
);
